import { Download, FileUp } from 'lucide-react';
import { useRef, useSyncExternalStore } from 'react';
import { Button } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Field } from '#web/ui/field.tsx';
import { saveFile } from '#web/ui/save-file.ts';
import { TextArea } from '#web/ui/text-input.tsx';
import { showToast } from '#web/ui/toast-store.ts';
import { useEditor, useEditorState, changeWithUndo } from './editor-context.ts';
import { starterShapeProblem } from './editor-state.ts';
import { parseJsonObject } from './parse-json-object.ts';
import { currentDefinition } from './use-starter-validation.ts';

const MAX_BYTES = 1_000_000;

export function JsonView({ text }: { text: string }) {
  const editor = useEditor();
  const problems = useSyncExternalStore(editor.subscribe, editor.problems).length;
  const parsed = parseJsonObject(text);
  const shape = parsed.ok ? starterShapeProblem(parsed.value) : null;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap gap-2">
        <ImportStarterButton />
        <ExportStarterButton />
        <CopyButton labeled text={text} label="Copy" />
      </div>
      <div data-path="">
        <Field
          label="Workflow JSON"
          error={parsed.ok ? shape : parsed.message}
          hint={problems > 0 ? 'See the problems under Validation.' : undefined}
        >
          <TextArea
            rows={24}
            maxRows={60}
            value={text}
            spellCheck={false}
            autoCapitalize="off"
            className="font-mono text-xs leading-relaxed"
            onChange={({ target: { value } }) => editor.change((state) => ({ ...state, json: value }))}
          />
        </Field>
      </div>
    </div>
  );
}

function ImportStarterButton() {
  const editor = useEditor();
  const input = useRef<HTMLInputElement>(null);
  const importFile = async (file: File | undefined) => {
    if (!file) return;
    if (file.size > MAX_BYTES)
      return showToast({
        title: 'Import failed',
        detail: 'This file is too large. A workflow can have up to 1 MB.',
        tone: 'bad',
      });
    const json = await file.text();
    changeWithUndo(editor, `Imported “${file.name}”`, [], (state) => ({ ...state, json }));
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        aria-label="Workflow file"
        hidden
        onChange={(event) => {
          void importFile(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
      <Button size="sm" icon={<FileUp aria-hidden="true" className="size-4" />} onClick={() => input.current?.click()}>
        Import file
      </Button>
    </>
  );
}

function ExportStarterButton() {
  const editor = useEditor();
  const slug = useEditorState((state) => state.slug);
  const save = () => {
    const state = editor.state();
    const text = state.json ?? JSON.stringify(currentDefinition(state), null, 2);
    saveFile(new Blob([text], { type: 'application/json' }), `${slug || 'workflow'}.json`);
  };
  return (
    <Button size="sm" icon={<Download aria-hidden="true" className="size-4" />} onClick={save}>
      Export
    </Button>
  );
}
