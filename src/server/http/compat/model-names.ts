import { hasModels } from '#contract/catalog.ts';
import { type AnyModelId, TASK_IDS, type TaskId } from '#contract/ids.ts';
import { findAddedModel } from '#contract/model-catalog.ts';
import type { InputContract } from '#contract/task.ts';
import { isTaskModelAvailable } from '#server/models/catalog/availability.ts';
import { offeredContract, taskModels } from '#server/models/catalog/offering.ts';
import { PRESETS } from '#server/models/providers/presets.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import type { CompatDeps } from './compat-adapter.ts';

/** A task on a model, and what callers may call it. */
export interface NamedModel {
  task: TaskId;
  /** null: a task without models. */
  model: AnyModelId | null;
  contract: InputContract;
  /** Our id first, then those of providers. */
  names: readonly string[];
}

type Deps = Pick<CompatDeps, 'offering' | 'media'>;

/** Everything that a caller can order now. */
export function listNamedModels(deps: Deps, caller: Caller): NamedModel[] {
  const offering = deps.offering.current();
  return TASK_IDS.flatMap((task) => {
    const models = hasModels(task) || offering.added.size > 0 ? taskModels(offering, task, caller) : [];
    return (models.length > 0 || hasModels(task) ? models : [null]).flatMap((model) => {
      const contract = offeredContract(offering, task, model);
      if (!contract || !isTaskModelAvailable(deps, task, model)) return [];
      return [{ task, model, contract, names: [model ?? task, ...providerNames(deps, task, model)] }];
    });
  });
}

function providerNames({ offering }: Deps, task: TaskId, model: AnyModelId | null): string[] {
  const added = findAddedModel(offering.current(), model);
  if (added) return [added.current.definition.provider_model];
  const entries = PRESETS.flatMap(({ models }) => models).filter(
    (entry) => entry.task === task && entry.model === model,
  );
  return [...new Set(entries.flatMap(({ provider_model, names }) => names ?? provider_model ?? []))];
}

/**
 * Finds what a name means: one entry for each task of the model.
 * @throws {ApiError} 400 `model_not_found`
 */
export function findNamedModels(deps: Deps, caller: Caller, name: string): [NamedModel, ...NamedModel[]] {
  const [first, ...others] = listNamedModels(deps, caller).filter(({ names }) => names.includes(name));
  if (first) return [first, ...others];
  throw new ApiError('model_not_found', `There is no model “${name.slice(0, 120)}” here.`);
}
