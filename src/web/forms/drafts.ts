import type { InputContract } from '#contract/task.ts';
import type { ModelId, TaskId } from '#contract/ids.ts';
import { type FormValues, fillMissingValues } from './form-values.ts';
import { createTabStorage } from '#web/api/tab-storage.ts';

const drafts = createTabStorage<FormValues>('emulsion.drafts', 40);
const draftKey = (task: TaskId, model: ModelId | null) => `${task}/${model ?? ''}`;

export function readDraft(task: TaskId, model: ModelId | null, contract: InputContract): FormValues | undefined {
  const draft = drafts.get(draftKey(task, model));
  return draft && fillMissingValues(contract, draft);
}

export function deleteDraft(task: TaskId, model: ModelId | null): void {
  drafts.delete(draftKey(task, model));
}

export function writeDraft(task: TaskId, model: ModelId | null, values: FormValues): void {
  drafts.set(draftKey(task, model), values);
}
