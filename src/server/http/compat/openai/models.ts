import type { TaskId } from '#contract/ids.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { CompatCall, CompatReply } from '../compat-adapter.ts';
import { isInScope } from '#server/accounts/keys/assert-in-scope.ts';
import { findNamedModels, listNamedModels, type NamedModel } from '../model-names.ts';
import { refuseParameter } from '../compat-input.ts';

export const CREATE_TASKS: readonly TaskId[] = ['image.create'];
export const EDIT_TASKS: readonly TaskId[] = ['image.edit', 'image.upscale', 'image.background'];
export const SPEECH_TASKS: readonly TaskId[] = ['audio.speech'];
const TASKS = [...CREATE_TASKS, ...EDIT_TASKS, ...SPEECH_TASKS];

/** When a model was created is unknown. */
const presentModel = (id: string) => ({ id, object: 'model', created: 0, owned_by: 'emulsion' });

const listNames = ({ deps, caller }: CompatCall): string[] => {
  const models = listNamedModels(deps, caller).filter(
    (named) => TASKS.includes(named.task) && isInScope(caller, named),
  );
  return [...new Set(models.flatMap(({ names }) => names))];
};

export const listModels = async (call: CompatCall): Promise<CompatReply> => ({
  body: { object: 'list', data: listNames(call).map(presentModel) },
});

export async function readModel(call: CompatCall): Promise<CompatReply> {
  const name = call.params['*'] ?? '';
  if (listNames(call).includes(name)) return { body: presentModel(name) };
  throw new ApiError('not_found', `There is no model “${name.slice(0, 120)}” here.`);
}

/** Finds the model of a request for the first of these tasks that it does. @throws {ApiError} 400 */
export function findModel({ deps, caller }: CompatCall, name: unknown, tasks: readonly TaskId[]): NamedModel {
  if (name === undefined || name === null || name === '')
    throw new ApiError('model_required', 'Name a model. GET /models lists them.');
  if (typeof name !== 'string') return refuseParameter('model', 'The model must be a text.');
  const found = findNamedModels(deps, caller, name);
  const model = tasks.flatMap((task) => found.find((each) => each.task === task) ?? [])[0];
  if (model) return model;
  const does = found.map(({ task }) => task).join(', ');
  throw new ApiError('unsupported_task', `The model “${name}” does ${does} only.`);
}
