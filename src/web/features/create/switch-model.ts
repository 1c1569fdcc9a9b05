import { inputContract, MODEL_NAMES, TASKS } from '#contract/catalog.ts';
import type { ModelId, TaskId } from '#contract/ids.ts';
import { deleteDraft, readDraft, writeDraft } from '#web/forms/drafts.ts';
import type { InputForm } from '#web/forms/input-form.ts';
import type { FormValues } from '#web/forms/form-values.ts';
import { type SwitchResult, switchInput } from '#web/forms/switch-input.ts';

/** A place in the studio. */
export interface CreateTarget {
  task: TaskId;
  model: ModelId | null;
}

/** What Undo restores: a place in the studio, and a draft that was overwritten there or elsewhere. */
export interface UndoStep {
  to: CreateTarget;
  draft: CreateTarget & { values: FormValues | undefined };
}

/** Restores the draft. The caller then goes to `to`. */
export function restoreDraft({ draft: { task, model, values } }: UndoStep): void {
  if (values) writeDraft(task, model, values);
  else deleteDraft(task, model);
}

/** What happened to the form when it was filled in or taken to another model. */
export interface SwitchSummary {
  title: string;
  kept: readonly string[];
  changed: SwitchResult['changed'];
  dropped: SwitchResult['dropped'];
  /** null where there is nothing to undo. */
  undo: UndoStep | null;
  target: CreateTarget;
}

const targetName = ({ task, model }: CreateTarget) => (model === null ? TASKS[task].name : MODEL_NAMES[model]);

/**
 * Takes what the form holds to another model of the same task, as that model's draft; the caller then goes there.
 * Answers what to say about it; null where nothing was lost or changed.
 */
export function transferToModel(from: CreateTarget, form: InputForm, model: ModelId): SwitchSummary | null {
  const contract = inputContract(from.task, model);
  if (!contract) return null;
  const values = form.values();
  const switched = switchInput(form.contract, contract, values);
  const at = { task: from.task, model };
  const undo = { to: from, draft: { ...at, values: readDraft(at.task, at.model, contract) } };
  writeDraft(at.task, at.model, switched.values);
  if (switched.changed.length + switched.dropped.length === 0) return null;
  return { ...switched, title: `Switched to ${targetName(at)}`, undo, target: at };
}

/** Takes what fits to a task that nothing was typed for yet. */
export function transferToTask(form: InputForm, to: CreateTarget): void {
  const contract = inputContract(to.task, to.model);
  if (!contract || readDraft(to.task, to.model, contract)) return;
  writeDraft(to.task, to.model, switchInput(form.contract, contract, form.values()).values);
}
