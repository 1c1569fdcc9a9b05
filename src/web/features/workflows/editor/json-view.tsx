import { Download, FileUp } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '#web/ui/controls/button.tsx';
import { CopyButton } from '#web/ui/controls/copy-button.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { saveFile } from '#web/ui/save-file.ts';
import { TextArea } from '#web/ui/controls/text-input.tsx';
import { FileInput } from '#web/ui/controls/file-input.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { useChangeWithUndo, useStarterForm } from './editor-parts.tsx';
import { parseDefinition, toStarterValues } from './starter-values.ts';
import { useStarterValidation } from './validation.tsx';

const MAX_BYTES = 1_000_000;

/** Edits the workflow as JSON, in place of the form. */
export function JsonView({ text }: { text: string }) {
  const { getValues, setValue, reset } = useStarterForm();
  const { problems } = useStarterValidation();
  const changeWithUndo = useChangeWithUndo();
  const file = useRef<HTMLInputElement>(null);
  const error = jsonProblem(text);
  const importFile = async (chosen: File | undefined) => {
    if (!chosen) return;
    if (chosen.size > MAX_BYTES)
      return showToast({
        title: 'Import failed',
        detail: 'This file is too large. A workflow can have up to 1 MB.',
        tone: 'bad',
      });
    const json = await chosen.text();
    changeWithUndo(`Imported “${chosen.name}”`, [], () => setValue('json', json));
  };
  const save = () =>
    saveFile(new Blob([text], { type: 'application/json' }), `${getValues('slug') || 'workflow'}.json`);
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap gap-2">
        <Button size="sm" disabled={error !== null} onClick={() => reset(toStarterValues(parseDefinition(text)))}>
          Back to form
        </Button>
        <FileInput
          ref={file}
          accept="application/json,.json"
          label="Workflow file"
          onChoose={([chosen]) => void importFile(chosen)}
        />
        <Button size="sm" icon={<FileUp aria-hidden="true" className="size-4" />} onClick={() => file.current?.click()}>
          Import file
        </Button>
        <Button size="sm" icon={<Download aria-hidden="true" className="size-4" />} onClick={save}>
          Export
        </Button>
        <CopyButton labeled text={text} label="Copy" />
      </div>
      <div data-path="">
        <Field
          label="Workflow JSON"
          error={error}
          hint={problems.length > 0 ? 'See the problems under Validation.' : undefined}
        >
          <TextArea
            rows={24}
            maxRows={60}
            value={text}
            spellCheck={false}
            autoCapitalize="off"
            className="font-mono text-xs leading-relaxed"
            onChange={(event) => setValue('json', event.target.value)}
          />
        </Field>
      </div>
    </div>
  );
}

function jsonProblem(text: string): string | null {
  try {
    parseDefinition(text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : 'Invalid JSON.';
  }
}
