import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { ErrorText } from '#web/ui/field.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { SegmentedControl } from '#web/ui/segmented-control.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { useEditor, useEditorState, useProblems } from './editor-context.ts';
import { EditorSection } from './editor-frame.tsx';
import { type EditorOutput, type EditorState, uniqueKey, nextPartId } from './editor-state.ts';
import { wholeExpression } from './expressions.ts';
import { EXPRESSION_SOURCE, outputMediaKind, optionToValue } from './steps/source-options.ts';

const OUTPUT_OPTIONS = [
  { value: 'last', label: 'Files of the last steps' },
  { value: 'named', label: 'Named results' },
] as const;

export function StarterOutputs() {
  const editor = useEditor();
  const outputs = useEditorState((state) => state.outputs);
  const change = (value: (typeof OUTPUT_OPTIONS)[number]['value']) =>
    editor.change((state) =>
      value === 'last' ? { ...state, outputs: null } : { ...addOutput({ ...state, outputs: [] }) },
    );
  return (
    <EditorSection title="Results" path="output">
      <SegmentedControl
        label="Results"
        value={outputs === null ? 'last' : 'named'}
        options={OUTPUT_OPTIONS}
        onChange={change}
      />
      {outputs === null ? null : (
        <>
          <ol aria-label="Results" className="flex flex-col gap-3">
            {outputs.map((output) => (
              <li key={output.id}>
                <OutputRow output={output} />
              </li>
            ))}
          </ol>
          <Button
            size="sm"
            className="self-start"
            icon={<Plus aria-hidden="true" className="size-4" />}
            onClick={() => editor.change(addOutput)}
          >
            Add result
          </Button>
        </>
      )}
    </EditorSection>
  );
}

function addOutput(state: EditorState): EditorState {
  const outputs = state.outputs ?? [];
  const serialized = JSON.stringify(outputs);
  const step = state.steps.findLast(({ key }) => !serialized.includes(`steps.${key}.`)) ?? state.steps.at(-1);
  const { id, last_id } = nextPartId(state);
  const name = uniqueKey(
    step?.name ?? '',
    outputs.map((output) => output.name),
    'result',
  );
  const value = step ? optionToValue(`steps.${step.key}.output.assets`) : '{{  }}';
  return { ...state, last_id, outputs: [...outputs, { id, name, value }] };
}

function OutputRow({ output }: { output: EditorOutput }) {
  const editor = useEditor();
  const steps = useEditorState((state) => state.steps);
  const { id, name, value } = output;
  const path = `output.${name}`;
  const problems = useProblems(path);
  const expression = wholeExpression(value);
  const options = steps
    .filter((step) => outputMediaKind(step))
    .flatMap((step) => [
      { value: `steps.${step.key}.output.assets[0]`, label: `First file of “${step.name || step.key}”` },
      { value: `steps.${step.key}.output.assets`, label: `All files of “${step.name || step.key}”` },
    ]);
  const [isCustom, setCustom] = useState(false);
  const known = options.some((option) => option.value === expression);
  const selected = known && !isCustom && expression !== null ? expression : EXPRESSION_SOURCE;
  const set = (parts: Partial<EditorOutput>) => editor.changeOutput(id, (now) => ({ ...now, ...parts }));
  // Values that are neither an expression nor a string can only be edited as JSON.
  const text = expression ?? (typeof value === 'string' ? value : JSON.stringify(value));
  return (
    <div data-path={path} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-start gap-2">
        <TextInput
          aria-label="Result name"
          value={name}
          spellCheck={false}
          className="min-w-32 flex-1 font-mono text-sm"
          onChange={(event) => set({ name: event.target.value })}
        />
        <Select
          aria-label={`${name} source`}
          className="min-w-44 flex-[2]"
          value={selected}
          options={[...options, { value: EXPRESSION_SOURCE, label: 'Expression' }]}
          onChange={(next) => {
            setCustom(next === EXPRESSION_SOURCE);
            if (next !== EXPRESSION_SOURCE) set({ value: optionToValue(next) });
          }}
        />
        <IconButton
          label={`Remove ${name}`}
          icon={<X aria-hidden="true" className="size-4" />}
          onClick={() =>
            editor.change((state) => ({ ...state, outputs: state.outputs?.filter((each) => each.id !== id) ?? null }))
          }
        />
      </div>
      {selected === EXPRESSION_SOURCE ? (
        <TextInput
          aria-label={`${name} expression`}
          value={text}
          readOnly={expression === null && typeof value !== 'string'}
          spellCheck={false}
          className="font-mono text-sm"
          onChange={(event) => set({ value: expression === null ? event.target.value : `{{ ${event.target.value} }}` })}
        />
      ) : null}
      {problems.map(({ message }) => (
        <ErrorText key={message}>{message}</ErrorText>
      ))}
    </div>
  );
}
