import { modelsForTask } from '#contract/catalog.ts';
import { type ModelId, TASK_IDS, type TaskId } from '#contract/ids.ts';
import type { DisabledCatalog } from '#server/engines/config/read-engines.ts';
import type { Engine } from '#server/engines/engine.ts';
import { FFMPEG_MISSING_MESSAGE, type MediaTools } from '#server/media/media-tools.ts';
import type { Model } from '#contract/resources/catalog.ts';

export interface AvailabilityDeps {
  engines: readonly Engine[];
  off: DisabledCatalog;
  media: Pick<MediaTools, 'streams'>;
}

const needsFfmpeg = (task: TaskId): boolean => task.startsWith('video.');

/** The engine that runs a task on a model (null for a task without models); undefined if there is none. */
export const findEngine = (engines: readonly Engine[], task: TaskId, model: ModelId | null): Engine | undefined =>
  engines.find((engine) => engine.supports(task, model));

export const isTaskModelAvailable = (
  { engines, off, media }: AvailabilityDeps,
  task: TaskId,
  model: ModelId | null,
): boolean =>
  !off.tasks.includes(task) &&
  (media.streams !== null || !needsFfmpeg(task)) &&
  (model === null || !off.models.includes(model)) &&
  findEngine(engines, task, model) !== undefined;

export function isTaskAvailable(offering: AvailabilityDeps, task: TaskId): boolean {
  const models = modelsForTask(task);
  const pairs: readonly (ModelId | null)[] = models.length > 0 ? models : [null];
  return pairs.some((model) => isTaskModelAvailable(offering, task, model));
}

export const isModelAvailable = (offering: AvailabilityDeps, model: ModelId): boolean =>
  TASK_IDS.some((task) => modelsForTask(task).includes(model) && isTaskModelAvailable(offering, task, model));

/** What the operator has to install to make a task available; null if nothing is missing. */
export const missingToolsMessage = ({ media }: Pick<AvailabilityDeps, 'media'>, task: TaskId): string | null =>
  media.streams === null && needsFfmpeg(task) ? FFMPEG_MISSING_MESSAGE : null;

/** The kind of engine that runs a task; undefined if none does, or for the media tools, which have no alternative. */
export function findEngineKind(
  { engines }: Pick<AvailabilityDeps, 'engines'>,
  task: TaskId,
  model: ModelId | null,
): Model['engine'] | undefined {
  const name = findEngine(engines, task, model)?.name;
  if (name === undefined || name === 'tools') return undefined;
  return name === 'preview' ? 'preview' : 'upstream';
}
