import { hasModels, isModelId, modelsForTask, TASKS } from '#contract/catalog.ts';
import { type AnyModelId, TASK_IDS, type TaskId } from '#contract/ids.ts';
import { FFMPEG_MISSING_MESSAGE, type MediaTools } from '#server/platform/media/media-tools.ts';
import type { Model } from '#contract/resources/catalog.ts';
import type { TaskContract } from '#contract/task.ts';
import type { ModelViewer } from '#server/models/added-models/added-models.ts';
import { findEngine, type OfferingSource, taskModels } from './offering.ts';

export interface AvailabilityDeps {
  offering: Pick<OfferingSource, 'current'>;
  media: Pick<MediaTools, 'streams'>;
}

function needsFfmpeg(task: TaskId): boolean {
  const { needs_ffmpeg }: TaskContract = TASKS[task];
  return needs_ffmpeg === true;
}

export function isTaskModelAvailable(
  { offering, media }: AvailabilityDeps,
  task: TaskId,
  model: AnyModelId | null,
): boolean {
  const { engines, off } = offering.current();
  return (
    !off.tasks.includes(task) &&
    (media.streams !== null || !needsFfmpeg(task)) &&
    (model === null || !off.models.some((id) => id === model)) &&
    findEngine(engines, task, model) !== undefined
  );
}

export function isTaskAvailable(deps: AvailabilityDeps, task: TaskId, viewer: ModelViewer | null): boolean {
  const pairs = hasModels(task) ? taskModels(deps.offering.current(), task, viewer) : [null];
  return pairs.some((model) => isTaskModelAvailable(deps, task, model));
}

export const isModelAvailable = (deps: AvailabilityDeps, model: AnyModelId): boolean =>
  isModelId(model)
    ? TASK_IDS.some((task) => modelsForTask(task).includes(model) && isTaskModelAvailable(deps, task, model))
    : TASK_IDS.some((task) => isTaskModelAvailable(deps, task, model));

/** What the operator has to install to make a task available; null if nothing is missing. */
export const missingToolsMessage = ({ media }: Pick<AvailabilityDeps, 'media'>, task: TaskId): string | null =>
  media.streams === null && needsFfmpeg(task) ? FFMPEG_MISSING_MESSAGE : null;

/** The kind of engine that runs a task; undefined if none does, or for the media tools, which have no alternative. */
export function findEngineKind(
  { offering }: Pick<AvailabilityDeps, 'offering'>,
  task: TaskId,
  model: AnyModelId | null,
): Model['engine'] | undefined {
  const name = findEngine(offering.current().engines, task, model)?.name;
  if (name === undefined || name === 'tools') return undefined;
  return name === 'preview' ? 'preview' : 'upstream';
}
