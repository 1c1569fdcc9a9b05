import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { isModelId, isTaskId } from '#contract/catalog.ts';
import type { FieldSpec, InputContract } from '#contract/task.ts';
import { modelsQuery } from '#web/api/queries/catalog.ts';
import { effectiveContract } from '#web/forms/effective-contract.ts';
import { FormContext } from '#web/forms/form-context.ts';
import { useFieldUploads } from '#web/forms/use-field-uploads.ts';
import { useSession } from '#web/api/session/session.ts';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { ErrorText } from '#web/ui/field.tsx';
import { useEditor, useProblems } from '../editor-context.ts';
import type { EditorStep } from '../editor-state.ts';
import { createStepForm } from '../create-validated-form.ts';
import { isRequiredField } from './source-options.ts';
import { StepExecutionSettings } from './step-execution-settings.tsx';
import { StepField } from './step-field.tsx';
import { StepTask } from './step-task.tsx';

export interface StepBodyProps {
  step: EditorStep;
  at: number;
}

export function StepBody({ step, at }: StepBodyProps) {
  const { task, model } = step;
  const { data: models } = useQuery(modelsQuery);
  const known = model !== null && isModelId(model) ? model : null;
  const contract = isTaskId(task) ? effectiveContract(task, known, models) : undefined;
  const fields = contract?.fields ?? [];
  const shown = fields.filter((field) => isRequiredField(field) || step.input[field.name] !== undefined);
  const more = fields.filter((field) => !shown.includes(field));
  return (
    <div className="flex flex-col gap-5 border-t border-line p-4">
      <StepTask step={step} at={at} />
      {contract ? (
        <StepForm key={`${task} ${model}`} step={step} contract={contract}>
          {shown.map((field) => (
            <StepField key={field.name} field={field} step={step} at={at} />
          ))}
          {more.length > 0 ? (
            <Disclosure summary={`More settings (${more.length}, all default)`}>
              <div className="flex flex-col gap-5 pt-2">
                {more.map((field) => (
                  <StepField key={field.name} field={field} step={step} at={at} />
                ))}
              </div>
            </Disclosure>
          ) : null}
        </StepForm>
      ) : null}
      <UnknownFields step={step} at={at} fields={fields} />
      <StepExecutionSettings step={step} at={at} />
    </div>
  );
}

interface StepFormProps {
  step: EditorStep;
  contract: InputContract;
  children: React.ReactNode;
}

function StepForm({ step: { id }, contract, children }: StepFormProps) {
  const editor = useEditor();
  const form = useMemo(() => createStepForm(editor, id, contract), [editor, id, contract]);
  const uploads = useFieldUploads(form, `step/${id}`);
  const signedIn = useSession() === 'signed_in';
  const tools = useMemo(() => ({ form, uploads, signedIn }), [form, uploads, signedIn]);
  return <FormContext value={tools}>{children}</FormContext>;
}

/** Lists input values that the task doesn't know, which must be removed. */
function UnknownFields({ step, at, fields }: StepBodyProps & { fields: readonly FieldSpec[] }) {
  const editor = useEditor();
  const problems = useProblems(`steps.${at}.input`);
  const names = Object.keys(step.input).filter((name) => !fields.some((field) => field.name === name));
  if (names.length === 0) return null;
  const remove = (name: string) =>
    editor.changeStep(step.id, (now) => ({
      ...now,
      input: Object.fromEntries(Object.entries(now.input).filter(([each]) => each !== name)),
    }));
  return (
    <ul className="flex flex-col gap-2">
      {names.map((name) => (
        <li key={name} data-path={`steps.${at}.input.${name}`} className="text-sm">
          <code className="font-mono text-xs">{name}</code> isn’t a setting of this task.{' '}
          <button type="button" className="underline underline-offset-2" onClick={() => remove(name)}>
            Remove
          </button>
          <ErrorText>{problems.find(({ path }) => path === `steps.${at}.input.${name}`)?.message}</ErrorText>
        </li>
      ))}
    </ul>
  );
}
