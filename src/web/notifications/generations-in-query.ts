import type { Query, QueryClient } from '@tanstack/react-query';
import type { List } from '#contract/primitives.ts';
import type { Me } from '#contract/resources/api-key.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { queryKeys } from '#web/api/queries/query-keys.ts';

const [ROOT] = queryKeys.generations.all;
const TRACKED_QUERY_KINDS: ReadonlySet<unknown> = new Set(['detail', 'head']);

/** Generations of the person's key in the data of a query, without those of workflow runs. */
export function generationsInQuery(
  client: QueryClient,
  { queryKey, state }: Pick<Query, 'queryKey' | 'state'>,
): Generation[] {
  const [root, kind] = queryKey;
  if (root !== ROOT || !TRACKED_QUERY_KINDS.has(kind) || !state.data) return [];
  const data = state.data as Generation | List<Generation>;
  const key_id = client.getQueryData<Me>(queryKeys.me)?.key.id;
  return ('data' in data ? data.data : [data]).filter(
    ({ created_by, workflow_run_id }) => workflow_run_id === null && (key_id === undefined || created_by.id === key_id),
  );
}
