import { useEffect, useMemo } from 'react';
import type { WorkflowStarter } from '#contract/resources/workflow-starter.ts';
import type { InputContract } from '#contract/task.ts';
import { createFormState, type FormState } from '#web/forms/form-state.ts';
import { isNotable, type Values } from '#web/forms/input-values.ts';
import { expectJudge } from '#web/forms/judge.ts';
import { localOrigin } from '#web/forms/media-info.ts';
import { valuesFromInput } from '#web/forms/switch-input.ts';
import { readStarterDraft, writeStarterDraft } from './starter-drafts.ts';

/** The values that a starter's form begins with: its example, else what each field takes by default. */
export const exampleValues = (contract: InputContract, { example_input }: WorkflowStarter): Values =>
  valuesFromInput(contract, example_input ?? {});

/** The form of a starter: with what was typed there before, and kept as it is typed. */
export function useStarterForm(starter: WorkflowStarter, contract: InputContract): FormState {
  const { slug } = starter;
  const form = useMemo(
    () => createFormState(contract, readStarterDraft(slug, contract) ?? exampleValues(contract, starter), localOrigin),
    // A starter that is read again is still the same starter.
    // oxlint-disable-next-line react/exhaustive-deps -- see above
    [slug, contract],
  );
  useEffect(() => {
    if (contract.fields.some((field) => isNotable(field, form.values()[field.name]))) expectJudge();
    return form.subscribe(() => writeStarterDraft(slug, form.values()));
  }, [form, slug, contract]);
  return form;
}
