import type { ModelId, TaskId } from '#contract/ids.ts';
import type { Model } from '#contract/resources/catalog.ts';
import { engineFor, type Offering } from '../generations/availability.ts';

/** What the catalog says of the engine of a task; undefined where there is none, or a tool that is what it is. */
export function engineKind(
  { engines }: Pick<Offering, 'engines'>,
  task: TaskId,
  model: ModelId | null,
): Model['engine'] | undefined {
  const name = engineFor(engines, task, model)?.name;
  if (name === undefined || name === 'tools') return undefined;
  return name === 'preview' ? 'preview' : 'upstream';
}
