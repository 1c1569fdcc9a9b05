import { useEffect, useMemo } from 'react';
import type { ModelId, TaskId } from '#contract/ids.ts';
import type { InputContract } from '#contract/task.ts';
import { localServiceOrigin } from '#web/api/reference-info.ts';
import { readDraft } from '#web/forms/drafts.ts';
import { fillMissingValues, initialValues } from '#web/forms/form-values.ts';
import { createInputForm, type InputForm } from '#web/forms/input-form.ts';
import { readSharedValues, writeSharedValues } from './batch-draft.ts';

const omitFields = (contract: InputContract, omitted: readonly string[]): InputContract => ({
  fields: contract.fields.filter(({ name }) => !omitted.includes(name)),
  rules: contract.rules.filter(({ field, when }) => !omitted.includes(field) && !omitted.includes(when.field)),
});

/**
 * The form of the fields that have one value for all orders. It keeps the values of omitted fields for when they are
 * back; without any, it begins with those of Create.
 * @param omitted names of the fields that columns fill
 * @param revision changes when something else than the form writes its values
 */
export function useSharedForm(
  task: TaskId,
  model: ModelId | null,
  contract: InputContract,
  omitted: readonly string[],
  revision: number,
): InputForm {
  const omittedNames = omitted.join();
  const form = useMemo(() => {
    const kept = readSharedValues(task, model) ?? readDraft(task, model, contract) ?? initialValues(contract);
    const shared = omitFields(contract, omittedNames.split(','));
    return createInputForm(shared, fillMissingValues(shared, kept), localServiceOrigin);
    // oxlint-disable-next-line react/exhaustive-deps -- a new revision means that the values must be read again
  }, [task, model, contract, omittedNames, revision]);
  useEffect(
    () => form.subscribe(() => writeSharedValues(task, model, { ...readSharedValues(task, model), ...form.values() })),
    [form, task, model],
  );
  return form;
}
