import { inputContract, MODEL_NAMES, TASKS } from '#contract/catalog.ts';
import type { ModelId, TaskId } from '#contract/ids.ts';
import { deleteDraft, readDraft, writeDraft } from '#web/forms/drafts.ts';
import type { InputForm } from '#web/forms/input-form.ts';
import type { FormValues } from '#web/forms/form-values.ts';
import { type SwitchResult, switchInput } from '#web/forms/switch-input.ts';

export interface CreateTarget {
  task: TaskId;
  model: ModelId | null;
}

/** What Undo restores: the open task and model, and the draft that was overwritten. */
export interface UndoStep {
  to: CreateTarget;
  draft: CreateTarget & { values: FormValues | undefined };
}

/** Restores the draft. The caller then navigates to `to`. */
export function restoreDraft({ draft: { task, model, values } }: UndoStep): void {
  if (values) writeDraft(task, model, values);
  else deleteDraft(task, model);
}

export interface SwitchSummary {
  title: string;
  kept: readonly string[];
  changed: SwitchResult['changed'];
  dropped: SwitchResult['dropped'];
  /** null if there is nothing to undo. */
  undo: UndoStep | null;
  target: CreateTarget;
}

const targetName = ({ task, model }: CreateTarget) => (model === null ? TASKS[task].name : MODEL_NAMES[model]);

/**
 * Writes the form's values as the draft of another model of the task; the caller then navigates to it. Returns a summary,
 * or null if no value was changed or dropped.
 */
export function transferToModel(from: CreateTarget, form: InputForm, model: ModelId): SwitchSummary | null {
  const contract = inputContract(from.task, model);
  if (!contract) return null;
  const values = form.values();
  const switched = switchInput(form.contract, contract, values);
  const target = { task: from.task, model };
  const undo = { to: from, draft: { ...target, values: readDraft(target.task, target.model, contract) } };
  writeDraft(target.task, target.model, switched.values);
  if (switched.changed.length + switched.dropped.length === 0) return null;
  return { ...switched, title: `Switched to ${targetName(target)}`, undo, target };
}

/** Writes the values that fit as the draft of another task, unless it has one. */
export function transferToTask(form: InputForm, to: CreateTarget): void {
  const contract = inputContract(to.task, to.model);
  if (!contract || readDraft(to.task, to.model, contract)) return;
  writeDraft(to.task, to.model, switchInput(form.contract, contract, form.values()).values);
}
