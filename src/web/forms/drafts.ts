import type { InputContract } from '#contract/task.ts';
import type { ModelId, TaskId } from '#contract/ids.ts';
import { type Values, valuesOver } from '#web/forms/input-values.ts';
import { createTabMap } from '#web/forms/tab-storage.ts';

const drafts = createTabMap<Values>('emulsion.drafts', 40);
const nameOf = (task: TaskId, model: ModelId | null) => `${task}/${model ?? ''}`;

/** What was typed for a task and model in this tab; undefined where nothing was. Fields that are gone are left out. */
export function readDraft(task: TaskId, model: ModelId | null, contract: InputContract): Values | undefined {
  const draft = drafts.get(nameOf(task, model));
  return draft && valuesOver(contract, draft);
}

export function deleteDraft(task: TaskId, model: ModelId | null): void {
  drafts.delete(nameOf(task, model));
}

export function writeDraft(task: TaskId, model: ModelId | null, values: Values): void {
  drafts.set(nameOf(task, model), values);
}
