import type { AnyModelId, TaskId } from '#contract/ids.ts';
import type { InputContract } from '#contract/task.ts';
import { editedSince, readDraft, recordSwitch, writeDraft } from '#web/forms/values/drafts.ts';
import type { InputForm } from '#web/forms/values/input-form.ts';
import type { FormValues } from '#web/forms/values/form-values.ts';
import { type SwitchResult, switchInput } from '#web/forms/models/switch-input.ts';

export interface CreateTarget {
  task: TaskId;
  model: AnyModelId | null;
}

/** What Undo restores: the open task and model, and the draft that was overwritten. */
export interface UndoStep {
  to: CreateTarget;
  draft: CreateTarget & { values: FormValues | undefined };
}

export interface SwitchSummary {
  title: string;
  kept: readonly string[];
  changed: SwitchResult['changed'];
  dropped: SwitchResult['dropped'];
  restored: SwitchResult['restored'];
  /** null if there is nothing to undo. */
  undo: UndoStep | null;
  target: CreateTarget;
}

export interface ModelTarget {
  model: AnyModelId;
  name: string;
  contract: InputContract;
}

/**
 * Writes the draft of another model of the task, to which the caller then navigates: what was set there before, and from the
 * open form what was set since. Returns a summary, or null if every value is the same.
 */
export function transferToModel(from: CreateTarget, form: InputForm, to: ModelTarget): SwitchSummary | null {
  const { model, contract } = to;
  const values = form.values();
  const target = { task: from.task, model };
  const draft = readDraft(target.task, target.model, contract);
  const earlier = draft && { values: draft, edited: editedSince(target.task, target.model) };
  const switched = switchInput(form.contract, contract, values, earlier);
  const undo = { to: from, draft: { ...target, values: draft } };
  writeDraft(from.task, from.model, values);
  writeDraft(target.task, target.model, switched.values);
  recordSwitch(from.task, [from.model, model], switched.targets);
  if (switched.changed.length + switched.dropped.length + switched.restored.length === 0) return null;
  return { ...switched, title: `Switched to ${to.name}`, undo, target };
}

/** Writes the values that fit as the draft of another task, unless it has one. A search is no prompt, and costs. */
export function transferToTask(form: InputForm, to: CreateTarget & { contract: InputContract }): void {
  if (to.task === 'social.search' || readDraft(to.task, to.model, to.contract)) return;
  writeDraft(to.task, to.model, switchInput(form.contract, to.contract, form.values()).values);
}
