import { useEffect, useMemo } from 'react';
import type { CreateSelection } from './create-selection.ts';
import { readDraft, writeDraft } from '#web/forms/drafts.ts';
import { createFormState, type FormState } from '#web/forms/form-state.ts';
import { initialValues, isFilledIn } from '#web/forms/form-values.ts';
import { preloadValidator } from '#web/forms/validator.ts';
import { localServiceOrigin } from '#web/api/reference-info.ts';

/**
 * The form of a task and model: with what was typed there before, and kept as it is typed. Null where there is none.
 * @param revision goes up where the draft was written from outside of the form
 */
export function useGenerationForm(choice: CreateSelection, revision: number): FormState | null {
  const { task, model, contract } = choice.kind === 'ready' ? choice : { task: null, model: null, contract: null };
  const form = useMemo(
    () =>
      task &&
      createFormState(contract, readDraft(task, model, contract) ?? initialValues(contract), localServiceOrigin),
    // oxlint-disable-next-line react/exhaustive-deps -- the revision says that the draft changed, which is then read anew
    [task, model, contract, revision],
  );
  useEffect(() => {
    // What was typed before is judged from the start.
    if (contract && form && contract.fields.some((field) => isFilledIn(field, form.values()[field.name])))
      preloadValidator();
  }, [contract, form]);
  useEffect(() => {
    if (form && task) return form.subscribe(() => writeDraft(task, model, form.values()));
    return undefined;
  }, [form, task, model]);
  return form;
}
