import type { InputContract } from '#contract/task.ts';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import { type FormValues, fillMissingValues } from './form-values.ts';
import { createDraftStorage } from '#web/api/drafts/draft-storage.ts';

const drafts = createDraftStorage<FormValues>('drafts', 40);
const draftKey = (task: TaskId, model: AnyModelId | null) => `${task}/${model ?? ''}`;

export function readDraft(task: TaskId, model: AnyModelId | null, contract: InputContract): FormValues | undefined {
  const draft = drafts.get(draftKey(task, model));
  return draft && fillMissingValues(contract, draft);
}

export function deleteDraft(task: TaskId, model: AnyModelId | null): void {
  drafts.delete(draftKey(task, model));
}

export function writeDraft(task: TaskId, model: AnyModelId | null, values: FormValues): void {
  drafts.set(draftKey(task, model), values);
}

/** Counts the changes of the forms of a task: per field the newest one, per model the last one that its form has seen. */
interface DraftEdits {
  count: number;
  fields: Readonly<Record<string, number>>;
  models: Readonly<Record<string, number>>;
}

const edits = createDraftStorage<DraftEdits>('draft-edits', 20);
const readEdits = (task: TaskId): DraftEdits => edits.get(task) ?? { count: 0, fields: {}, models: {} };

/** Records which fields somebody changed in a form of a task. */
export function recordEdits(task: TaskId, before: FormValues, after: FormValues): void {
  const changed = Object.keys(after).filter((name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]));
  if (changed.length === 0) return;
  const { fields, models, count } = readEdits(task);
  const latest = Object.fromEntries(changed.map((name) => [name, count + 1]));
  edits.set(task, { count: count + 1, fields: { ...fields, ...latest }, models });
}

/**
 * Records a switch between models, which brings both forms up to date.
 * @param targetNames names of the fields of the new form by those of the old one
 */
export function recordSwitch(
  task: TaskId,
  [from, to]: readonly [AnyModelId | null, AnyModelId | null],
  targetNames: Readonly<Record<string, string>>,
): void {
  const { fields, models, count } = readEdits(task);
  const renamed = Object.entries(targetNames).map(
    ([source, target]) => [target, Math.max(fields[source] ?? 0, fields[target] ?? 0)] as const,
  );
  edits.set(task, {
    count,
    fields: { ...fields, ...Object.fromEntries(renamed) },
    models: { ...models, [from ?? '']: count, [to ?? '']: count },
  });
}

/** Names of the fields that were changed on other models after the form of this one was left. */
export function editedSince(task: TaskId, model: AnyModelId | null): ReadonlySet<string> {
  const { fields, models } = readEdits(task);
  const seen = models[model ?? ''] ?? 0;
  return new Set(Object.entries(fields).flatMap(([name, count]) => (count > seen ? [name] : [])));
}
