import { useEffect, useMemo } from 'react';
import type { WorkflowStarter } from '#contract/resources/workflow-starter.ts';
import type { InputContract } from '#contract/task.ts';
import { createInputForm, type InputForm } from '#web/forms/values/input-form.ts';
import { isFilledIn, type FormValues, fillMissingValues } from '#web/forms/values/form-values.ts';
import { preloadValidator } from '#web/forms/values/validator.ts';
import { localServiceOrigin } from '#web/api/reference-info.ts';
import { valuesFromInput } from '#web/forms/models/switch-input.ts';
import { createDraftStorage } from '#web/api/drafts/draft-storage.ts';

const drafts = createDraftStorage<FormValues>('workflow-drafts', 40);

/** Returns the draft of this tab for a starter, without fields that no longer exist; undefined without a draft. */
function readStarterDraft(slug: string, contract: InputContract): FormValues | undefined {
  const draft = drafts.get(slug);
  return draft && fillMissingValues(contract, draft);
}

const writeStarterDraft = (slug: string, values: FormValues): void => drafts.set(slug, values);

/** Initial values of a starter's form: its example, else the defaults of the fields. */
export const exampleValues = (contract: InputContract, { example_input }: WorkflowStarter): FormValues =>
  valuesFromInput(contract, example_input ?? {});

/** @param name key of the draft, which every change saves @param initial values without a draft */
export function useDraftForm(name: string, contract: InputContract, initial: () => FormValues): InputForm {
  const form = useMemo(
    () => createInputForm(contract, readStarterDraft(name, contract) ?? initial(), localServiceOrigin),
    // Later data does not change the initial values of a form.
    // oxlint-disable-next-line react/exhaustive-deps -- see above
    [name, contract],
  );
  useEffect(() => {
    if (contract.fields.some((field) => isFilledIn(field, form.values()[field.name]))) preloadValidator();
    return form.subscribe(() => writeStarterDraft(name, form.values()));
  }, [form, name, contract]);
  return form;
}
