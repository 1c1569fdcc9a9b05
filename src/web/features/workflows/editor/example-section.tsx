import { useEffect, useMemo } from 'react';
import type { InputContract } from '#contract/task.ts';
import { readWorkflowInput } from '#contract/workflow-input.ts';
import { createInputForm } from '#web/forms/input-form.ts';
import { initialValue, toInput, type FormValues } from '#web/forms/form-values.ts';
import { localServiceOrigin } from '#web/api/reference-info.ts';
import { valuesFromInput } from '#web/forms/switch-input.ts';
import { TaskForm } from '#web/forms/task-form.tsx';
import { useFieldUploads } from '#web/forms/use-field-uploads.ts';
import { useSession } from '#web/api/session/session.ts';
import { ErrorText } from '#web/ui/field.tsx';
import { useEditor, useEditorState, useProblems } from './editor-context.ts';
import { EditorSection } from './editor-frame.tsx';
import { toDefinition } from './editor-state.ts';
import { createValidatedForm } from './create-validated-form.ts';

export function ExampleSection() {
  const schema = useEditorState((state) => JSON.stringify(toDefinition(state).input_schema));
  const read = useMemo(() => readWorkflowInput(JSON.parse(schema)), [schema]);
  const fields = read.ok ? read.contract.fields : [];
  const problems = useProblems('example_input').filter(
    ({ path }) => !fields.some(({ name }) => path.startsWith(`example_input.${name}`)),
  );
  return (
    <EditorSection
      title="Example"
      intro="Prefills the form of new runs and sets the price estimate."
      path="example_input"
    >
      {read.ok ? (
        <ExampleForm contract={read.contract} />
      ) : (
        <p className="text-sm text-ink-3">Complete the inputs to see the form.</p>
      )}
      {problems.map(({ path, message }) => (
        <ErrorText key={`${path}${message}`}>{message}</ErrorText>
      ))}
    </EditorSection>
  );
}

const ignoreSubmit = () => undefined;
const examplePath = () => 'example_input';

function ExampleForm({ contract }: { contract: InputContract }) {
  const editor = useEditor();
  const held = useMemo(
    () => createInputForm(contract, valuesFromInput(contract, editor.state().example), localServiceOrigin),
    [editor, contract],
  );
  useEffect(
    () =>
      held.subscribe(() => {
        const example = toExample(contract, held.values());
        const { example: before } = editor.state();
        if (JSON.stringify(example) !== JSON.stringify(before)) editor.change((state) => ({ ...state, example }));
      }),
    [editor, held, contract],
  );
  const form = useMemo(() => createValidatedForm(held, editor, examplePath), [held, editor]);
  const uploads = useFieldUploads(form, 'starter-example');
  const signedIn = useSession() === 'signed_in';
  if (contract.fields.length === 0) return <p className="text-sm text-ink-3">No inputs needed.</p>;
  return (
    <TaskForm form={form} uploads={uploads} signedIn={signedIn} label="Example" onSubmit={ignoreSubmit}>
      {null}
    </TaskForm>
  );
}

/** Omits values that equal the field's default. */
function toExample(contract: InputContract, values: FormValues): Record<string, unknown> {
  const fields = contract.fields.filter((field) => {
    const value = values[field.name];
    return JSON.stringify(value) !== JSON.stringify(initialValue(field)) && value !== undefined && value !== null;
  });
  return toInput({ fields, rules: [] }, values);
}
