import { useMemo } from 'react';
import type { InputContract } from '#contract/task.ts';
import { readWorkflowInput } from '#contract/workflows/workflow-input.ts';
import { useSession } from '#web/api/session/session.ts';
import { initialValue, toInput, type FormValues } from '#web/forms/values/form-values.ts';
import { valuesFromInput } from '#web/forms/models/switch-input.ts';
import { TaskForm } from '#web/forms/task-form.tsx';
import { useFieldUploads } from '#web/forms/use-field-uploads.ts';
import { EditorSection, useParts, useStarterForm } from './editor-parts.tsx';
import { toDefinition } from './starter-values.ts';
import { useLinkedForm } from './use-linked-form.ts';
import { OtherProblems } from './validation.tsx';

const PATH = 'example_input';

export function ExampleSection() {
  const schema = JSON.stringify(toDefinition(useParts()).input_schema);
  const read = useMemo(() => readWorkflowInput(JSON.parse(schema)), [schema]);
  return (
    <EditorSection title="Example" intro="Prefills the form of new runs and sets the price estimate." path={PATH}>
      {!read.ok ? (
        <p className="text-sm text-ink-3">Complete the inputs to see the form.</p>
      ) : read.contract.fields.length === 0 ? (
        <p className="text-sm text-ink-3">No inputs needed.</p>
      ) : (
        <ExampleForm contract={read.contract} />
      )}
      <OtherProblems path={PATH} shown={read.ok ? read.contract.fields.map(({ name }) => name) : []} />
    </EditorSection>
  );
}

const ignoreSubmit = () => undefined;

function ExampleForm({ contract }: { contract: InputContract }) {
  const { getValues, setValue } = useStarterForm();
  const form = useLinkedForm(
    contract,
    () => valuesFromInput(contract, getValues('example')),
    PATH,
    (values) => setValue('example', toExample(contract, values)),
  );
  const uploads = useFieldUploads(form, 'starter-example');
  const signedIn = useSession() === 'signed_in';
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
