import { inputContract, MODEL_NAMES, TASKS } from '#contract/catalog.ts';
import type { ModelId, TaskId } from '#contract/ids.ts';
import { readDraft, writeDraft } from '#web/forms/drafts.ts';
import type { FormState } from '#web/forms/form-state.ts';
import type { Values } from '#web/forms/input-values.ts';
import { type Switched, switchInput } from '#web/forms/switch-input.ts';

/** A place in the studio. */
export interface Place {
  task: TaskId;
  model: ModelId | null;
}

/** What happened to the form when it was taken elsewhere, and how it was before. */
export interface SwitchNote {
  title: string;
  kept: readonly string[];
  changed: Switched['changed'];
  dropped: Switched['dropped'];
  /** Where it was, and what it held; null where nothing is to be taken back. */
  back: (Place & { values: Values }) | null;
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
  writeDraft(at.task, at.model, switched.values);
  if (switched.changed.length + switched.dropped.length === 0) return null;
  return { ...switched, title: `Switched to ${nameOf(at)}`, back: { ...from, values }, at };
}

/** Takes what fits to a task that nothing was typed for yet. */
export function carryToTask(form: FormState, to: Place): void {
  const contract = inputContract(to.task, to.model);
  if (!contract || readDraft(to.task, to.model, contract)) return;
  writeDraft(to.task, to.model, switchInput(form.contract, contract, form.values()).values);
}
