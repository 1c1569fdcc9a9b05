import type { ModelId, TaskId } from '#contract/ids.ts';
import type { Model } from '#contract/resources/catalog.ts';
import { findEngine, type AvailabilityDeps } from './availability.ts';

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
