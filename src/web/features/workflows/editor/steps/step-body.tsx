import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { isTaskId } from '#contract/catalog.ts';
import { property } from '#contract/json-value.ts';
import type { InputContract } from '#contract/task.ts';
import { isModelId } from '#web/api/known-models.ts';
import { modelsQuery } from '#web/api/queries/catalog.ts';
import { useSession } from '#web/api/session/session.ts';
import { effectiveContract } from '#web/forms/models/effective-contract.ts';
import { FormContext } from '#web/forms/form-context.ts';
import { type FormValues, initialValue } from '#web/forms/values/form-values.ts';
import { useFieldUploads } from '#web/forms/use-field-uploads.ts';
import { Disclosure } from '#web/ui/controls/disclosure.tsx';
import { useParts, useStarterForm } from '../editor-parts.tsx';
import { wholeExpression } from '../expressions.ts';
import { availableReferences, isRequiredField, type Reference } from '../step-references.ts';
import type { StarterStep } from '../starter-values.ts';
import { useLinkedForm } from '../use-linked-form.ts';
import { OtherProblems } from '../validation.tsx';
import { StepAdvanced } from './step-advanced.tsx';
import { StepField } from './step-field.tsx';
import { StepSettings } from './step-settings.tsx';

export function StepBody({ at, isNew }: { at: number; isNew: boolean }) {
  const { setValue } = useStarterForm();
  const parts = useParts();
  const step = parts.steps[at];
  const { data: models } = useQuery(modelsQuery);
  const { task = '', model = null } = step ?? {};
  const contract = useMemo(
    () => (isTaskId(task) ? effectiveContract(task, model !== null && isModelId(model) ? model : null, models) : null),
    [task, model, models],
  );
  if (!step) return null;
  const references = availableReferences(parts, at);
  const change = (changed: Partial<StarterStep>) => setValue(`steps.${at}`, { ...step, ...changed });
  const fields = contract?.fields ?? [];
  const unknown = Object.keys(step.input).filter((name) => !fields.some((field) => field.name === name));
  return (
    <>
      <StepSettings step={step} at={at} parts={parts} references={references} isNew={isNew} onChange={change} />
      {contract ? (
        <StepInputForm key={`${task} ${model}`} at={at} step={step} contract={contract} references={references} />
      ) : null}
      {unknown.map((name) => (
        <div key={name} data-path={`steps.${at}.input.${name}`}>
          <OtherProblems path={`steps.${at}.input.${name}`} />
        </div>
      ))}
      <StepAdvanced step={step} steps={parts.steps} at={at} fields={fields} references={references} onChange={change} />
    </>
  );
}

interface StepInputFormProps {
  at: number;
  step: StarterStep;
  contract: InputContract;
  references: readonly Reference[];
}

/** Fixed values; the initial value where the setting is not set or comes from an expression. */
const toFormValues = ({ fields }: InputContract, input: StarterStep['input']): FormValues =>
  Object.fromEntries(
    fields.map((field) => {
      const value = property(input, field.name);
      return [field.name, value === undefined || wholeExpression(value) !== null ? initialValue(field) : value];
    }),
  );

const isSame = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

function StepInputForm({ at, step, contract, references }: StepInputFormProps) {
  const { getValues, setValue } = useStarterForm();
  const { input, key } = step;
  const path = `steps.${at}.input`;
  const set = (changed: FormValues) => {
    const next = { ...getValues(`steps.${at}.input`), ...changed };
    setValue(`steps.${at}.input`, Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined)));
  };
  const form = useLinkedForm(
    contract,
    () => toFormValues(contract, input),
    path,
    (values) => {
      const before = toFormValues(contract, getValues(`steps.${at}.input`));
      const changed = Object.entries(values).filter(([name, value]) => !isSame(value, before[name]));
      // A cleared setting is not the default: it is validated as null.
      if (changed.length > 0) set(Object.fromEntries(changed.map(([name, value]) => [name, value ?? null])));
    },
  );
  useEffect(() => {
    const values = Object.entries(toFormValues(contract, input));
    const changed = values.filter(([name, value]) => !isSame(value, form.values()[name]));
    if (changed.length > 0) form.setValues(Object.fromEntries(changed));
  }, [form, contract, input]);
  const uploads = useFieldUploads(form, `step/${key}`);
  const signedIn = useSession() === 'signed_in';
  const tools = useMemo(() => ({ form, uploads, signedIn }), [form, uploads, signedIn]);
  // A field stays where it is while the step is open, whatever its value becomes.
  const [shown] = useState(() =>
    contract.fields.flatMap((field) =>
      isRequiredField(field) || property(input, field.name) !== undefined ? [field.name] : [],
    ),
  );
  const show = (isShown: boolean) =>
    contract.fields
      .filter(({ name }) => shown.includes(name) === isShown)
      .map((field) => (
        <StepField
          key={field.name}
          field={field}
          value={property(input, field.name)}
          path={`${path}.${field.name}`}
          references={references}
          onChange={(value) => set({ [field.name]: value })}
        />
      ));
  const more = show(false);
  return (
    <FormContext value={tools}>
      {show(true)}
      {more.length > 0 ? (
        <Disclosure summary={`More settings (${more.length})`}>
          <div className="flex flex-col gap-5 pt-2">{more}</div>
        </Disclosure>
      ) : null}
    </FormContext>
  );
}
