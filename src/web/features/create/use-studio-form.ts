import { useEffect, useMemo } from 'react';
import type { Choice } from './offer.ts';
import { readDraft, writeDraft } from '#web/forms/drafts.ts';
import { createFormState, type FormState } from '#web/forms/form-state.ts';
import { initialValues, isNotable } from '#web/forms/input-values.ts';
import { expectJudge } from '#web/forms/judge.ts';
import { localOrigin } from '#web/forms/media-info.ts';

/**
 * The form of a task and model: with what was typed there before, and kept as it is typed. Null where there is none.
 * @param revision goes up where the draft was written from outside of the form
 */
export function useStudioForm(choice: Choice, revision: number): FormState | null {
  const { task, model, contract } = choice.kind === 'ready' ? choice : { task: null, model: null, contract: null };
  const form = useMemo(
    () => task && createFormState(contract, readDraft(task, model, contract) ?? initialValues(contract), localOrigin),
    // oxlint-disable-next-line react/exhaustive-deps -- the revision says that the draft changed, which is then read anew
    [task, model, contract, revision],
  );
  useEffect(() => {
    // What was typed before is judged from the start.
    if (contract && form && contract.fields.some((field) => isNotable(field, form.values()[field.name]))) expectJudge();
  }, [contract, form]);
  useEffect(() => {
    if (form && task) return form.subscribe(() => writeDraft(task, model, form.values()));
    return undefined;
  }, [form, task, model]);
  return form;
}
