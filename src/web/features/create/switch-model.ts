import { inputContract, MODEL_NAMES, TASKS } from '#contract/catalog.ts';
import type { ModelId, TaskId } from '#contract/ids.ts';
import { deleteDraft, readDraft, writeDraft } from '#web/forms/drafts.ts';
import type { FormState } from '#web/forms/form-state.ts';
import type { Values } from '#web/forms/input-values.ts';
import { type Switched, switchInput } from '#web/forms/switch-input.ts';

/** A place in the studio. */
export interface Place {
  task: TaskId;
  model: ModelId | null;
}

/** What Undo restores: a place in the studio, and a draft that was overwritten there or elsewhere. */
export interface UndoStep {
  to: Place;
  draft: Place & { values: Values | undefined };
}

/** Restores the draft. The caller then goes to `to`. */
export function restoreDraft({ draft: { task, model, values } }: UndoStep): void {
  if (values) writeDraft(task, model, values);
  else deleteDraft(task, model);
}

/** What happened to the form when it was filled in or taken to another model. */
export interface SwitchNote {
  title: string;
  kept: readonly string[];
  changed: Switched['changed'];
  dropped: Switched['dropped'];
  /** null where there is nothing to undo. */
  undo: UndoStep | null;
  at: Place;
}

const nameOf = ({ task, model }: Place) => (model === null ? TASKS[task].name : MODEL_NAMES[model]);

/**
 * Takes what the form holds to another model of the same task, as that model's draft; the caller then goes there.
 * Answers what to say about it; null where nothing was lost or changed.
 */
export function carryToModel(from: Place, form: FormState, model: ModelId): SwitchNote | null {
  const contract = inputContract(from.task, model);
  if (!contract) return null;
  const values = form.values();
  const switched = switchInput(form.contract, contract, values);
  const at = { task: from.task, model };
  const undo = { to: from, draft: { ...at, values: readDraft(at.task, at.model, contract) } };
  writeDraft(at.task, at.model, switched.values);
  if (switched.changed.length + switched.dropped.length === 0) return null;
  return { ...switched, title: `Switched to ${nameOf(at)}`, undo, at };
}

/** Takes what fits to a task that nothing was typed for yet. */
export function carryToTask(form: FormState, to: Place): void {
  const contract = inputContract(to.task, to.model);
  if (!contract || readDraft(to.task, to.model, contract)) return;
  writeDraft(to.task, to.model, switchInput(form.contract, contract, form.values()).values);
}
