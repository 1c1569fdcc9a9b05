import type { ModelId, TaskId } from '#contract/ids.ts';
import type { Model } from '#contract/resources/catalog.ts';
import { findEngine, type AvailabilityDeps } from './availability.ts';

/** What the catalog says of the engine of a task; undefined where there is none, or a tool that is what it is. */
export function findEngineKind(
  { engines }: Pick<AvailabilityDeps, 'engines'>,
  task: TaskId,
  model: ModelId | null,
): Model['engine'] | undefined {
  const name = findEngine(engines, task, model)?.name;
  if (name === undefined || name === 'tools') return undefined;
  return name === 'preview' ? 'preview' : 'upstream';
}
