import { Download, FileUp } from 'lucide-react';
import { useRef, useSyncExternalStore } from 'react';
import { Button } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Field } from '#web/ui/field.tsx';
import { saveFile } from '#web/ui/save-file.ts';
import { TextArea } from '#web/ui/text-area.tsx';
import { showToast } from '#web/ui/toast-store.ts';
import { useEditor, useEditorState } from './editor-context.ts';
import { starterShapeProblem } from './editor-state.ts';
import { parseJsonObject } from './parse-json-object.ts';
import { changeWithUndo } from './change-with-undo.ts';
import { currentDefinition } from './use-starter-validation.ts';

/** More is no starter. */
const MAX_BYTES = 1_000_000;

/** The starter as the text that is stored: to be read, changed, taken along and brought in. */
export function JsonView({ text }: { text: string }) {
  const editor = useEditor();
  const problems = useSyncExternalStore(editor.subscribe, editor.problems).length;
  const read = parseJsonObject(text);
  const shape = read.ok ? starterShapeProblem(read.value) : null;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap gap-2">
        <ImportStarterButton />
        <ExportStarterButton />
        <CopyButton labeled text={text} label="Copy" />
      </div>
      <div data-path="">
        <Field
          label="The starter as JSON"
          error={read.ok ? shape : read.message}
          hint={problems > 0 ? 'What is wrong with it stands beside.' : undefined}
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

/** Brings in a starter from a file, in the place of what is written. */
function ImportStarterButton() {
  const editor = useEditor();
  const input = useRef<HTMLInputElement>(null);
  const take = async (file: File | undefined) => {
    if (!file) return;
    if (file.size > MAX_BYTES)
      return showToast({ title: 'Not brought in', detail: 'This file is too large to be a starter.', tone: 'bad' });
    const json = await file.text();
    changeWithUndo(editor, `“${file.name}” brought in`, [], (state) => ({ ...state, json }));
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        aria-label="File of a starter"
        hidden
        onChange={(event) => {
          void take(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
      <Button size="sm" icon={<FileUp aria-hidden="true" className="size-4" />} onClick={() => input.current?.click()}>
        Import a file
      </Button>
    </>
  );
}

/** Gives the starter as a file. */
function ExportStarterButton() {
  const editor = useEditor();
  const slug = useEditorState((state) => state.slug);
  const save = () => {
    const state = editor.state();
    const text = state.json ?? JSON.stringify(currentDefinition(state), null, 2);
    saveFile(new Blob([text], { type: 'application/json' }), `${slug || 'starter'}.json`);
  };
  return (
    <Button size="sm" icon={<Download aria-hidden="true" className="size-4" />} onClick={save}>
      Export
    </Button>
  );
}
