import { useEffect, useMemo } from 'react';
import type { WorkflowStarter } from '#contract/resources/workflow-starter.ts';
import type { InputContract } from '#contract/task.ts';
import { createInputForm, type InputForm } from '#web/forms/input-form.ts';
import { isFilledIn, type FormValues, fillMissingValues } from '#web/forms/form-values.ts';
import { preloadValidator } from '#web/forms/validator.ts';
import { localServiceOrigin } from '#web/api/reference-info.ts';
import { valuesFromInput } from '#web/forms/switch-input.ts';
import { createTabStorage } from '#web/api/tab-storage.ts';

const drafts = createTabStorage<FormValues>('emulsion.workflow-drafts', 40);

/** What was typed for a starter in this tab; undefined where nothing was. Fields that are gone are left out. */
function readStarterDraft(slug: string, contract: InputContract): FormValues | undefined {
  const draft = drafts.get(slug);
  return draft && fillMissingValues(contract, draft);
}

const writeStarterDraft = (slug: string, values: FormValues): void => drafts.set(slug, values);

/** The values that a starter's form begins with: its example, else what each field takes by default. */
export const exampleValues = (contract: InputContract, { example_input }: WorkflowStarter): FormValues =>
  valuesFromInput(contract, example_input ?? {});

/**
 * A form of a workflow's input, with what was typed there before in this tab; every change is saved.
 * @param name of the draft
 * @param initial the values where there is no draft
 */
export function useDraftForm(name: string, contract: InputContract, initial: () => FormValues): InputForm {
  const form = useMemo(
    () => createInputForm(contract, readStarterDraft(name, contract) ?? initial(), localServiceOrigin),
    // The initial values of a form do not follow what is read later.
    // oxlint-disable-next-line react/exhaustive-deps -- see above
    [name, contract],
  );
  useEffect(() => {
    if (contract.fields.some((field) => isFilledIn(field, form.values()[field.name]))) preloadValidator();
    return form.subscribe(() => writeStarterDraft(name, form.values()));
  }, [form, name, contract]);
  return form;
}
