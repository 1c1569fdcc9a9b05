import { modelsForTask } from '#contract/catalog.ts';
import { type ModelId, TASK_IDS, type TaskId } from '#contract/ids.ts';
import { FFMPEG_MISSING_MESSAGE, type MediaTools } from '#server/platform/media/media-tools.ts';
import type { Model } from '#contract/resources/catalog.ts';
import { findEngine, type OfferingSource } from './offering.ts';

export interface AvailabilityDeps {
  offering: Pick<OfferingSource, 'current'>;
  media: Pick<MediaTools, 'streams'>;
}

const needsFfmpeg = (task: TaskId): boolean => task.startsWith('video.');

export function isTaskModelAvailable(
  { offering, media }: AvailabilityDeps,
  task: TaskId,
  model: ModelId | null,
): boolean {
  const { engines, off } = offering.current();
  return (
    !off.tasks.includes(task) &&
    (media.streams !== null || !needsFfmpeg(task)) &&
    (model === null || !off.models.includes(model)) &&
    findEngine(engines, task, model) !== undefined
  );
}

export function isTaskAvailable(deps: AvailabilityDeps, task: TaskId): boolean {
  const models = modelsForTask(task);
  const pairs: readonly (ModelId | null)[] = models.length > 0 ? models : [null];
  return pairs.some((model) => isTaskModelAvailable(deps, task, model));
}

export const isModelAvailable = (deps: AvailabilityDeps, model: ModelId): boolean =>
  TASK_IDS.some((task) => modelsForTask(task).includes(model) && isTaskModelAvailable(deps, task, model));

/** What the operator has to install to make a task available; null if nothing is missing. */
export const missingToolsMessage = ({ media }: Pick<AvailabilityDeps, 'media'>, task: TaskId): string | null =>
  media.streams === null && needsFfmpeg(task) ? FFMPEG_MISSING_MESSAGE : null;

/** The kind of engine that runs a task; undefined if none does, or for the media tools, which have no alternative. */
export function findEngineKind(
  { offering }: Pick<AvailabilityDeps, 'offering'>,
  task: TaskId,
  model: ModelId | null,
): Model['engine'] | undefined {
  const name = findEngine(offering.current().engines, task, model)?.name;
  if (name === undefined || name === 'tools') return undefined;
  return name === 'preview' ? 'preview' : 'upstream';
}
