import type { QueryClient } from '@tanstack/react-query';
import type { ModelId, TaskId } from '#contract/ids.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { queryKeys } from '#web/api/queries/query-keys.ts';
import { isPreviewResult } from '#web/forms/engine-labels.ts';
import { isObject } from '#web/ui/is-object.ts';

const MIN_SAMPLES = 2;

function findGenerations(value: unknown): Generation[] {
  if (Array.isArray(value)) return value.flatMap(findGenerations);
  if (!isObject(value)) return [];
  if (value['object'] === 'generation') return [value as unknown as Generation];
  return [...findGenerations(value['pages']), ...findGenerations(value['data'])];
}

/**
 * How long a model usually took, in seconds, from the generations that this page has loaded already; null if they are
 * too few.
 * @param preview whether previews or results of a provider count
 */
export function usualSeconds(client: QueryClient, task: TaskId, model: ModelId, preview: boolean): number | null {
  const queries = client.getQueryCache().findAll({ queryKey: queryKeys.generations.all });
  const generations = new Map(
    queries.flatMap(({ state }) => findGenerations(state.data).map((each) => [each.id, each] as const)),
  );
  const durations = [...generations.values()]
    .filter(
      (each) =>
        each.task === task &&
        each.model === model &&
        each.status === 'succeeded' &&
        isPreviewResult(each) === preview &&
        each.started_at !== null &&
        each.completed_at !== null,
    )
    .map(({ started_at, completed_at }) => (Date.parse(completed_at ?? '') - Date.parse(started_at ?? '')) / 1000)
    .toSorted((a, b) => a - b);
  return durations.length < MIN_SAMPLES ? null : (durations[Math.floor(durations.length / 2)] ?? null);
}
