import type { AnyModelId, TaskId } from '#contract/ids.ts';
import type { Model } from '#contract/resources/catalog.ts';
import { restrictContract } from '#contract/restrict-contract.ts';
import type { InputContract } from '#contract/task.ts';
import { inputContract } from '#web/api/known-models.ts';

/**
 * The input contract of a task with the restrictions of the provider that runs the model, or undefined if the pair does
 * not exist.
 * @param model null for a task without models
 * @param models of the models query; undefined while they load, when nothing is restricted
 */
export function effectiveContract(
  task: TaskId,
  model: AnyModelId | null,
  models: readonly Model[] | undefined,
): InputContract | undefined {
  const contract = inputContract(task, model);
  const listed = models?.find(({ id }) => id === model)?.tasks.find((each) => each.task === task);
  return contract && listed?.restrictions ? restrictContract(contract, listed.restrictions) : contract;
}
