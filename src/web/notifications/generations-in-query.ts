import type { Query, QueryClient } from '@tanstack/react-query';
import type { List } from '#contract/primitives.ts';
import type { Me } from '#contract/resources/api-key.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { queryKeys } from '#web/api/queries/query-keys.ts';

const [ROOT] = queryKeys.generations.all;
const TRACKED_QUERY_KINDS: ReadonlySet<unknown> = new Set(['detail', 'head']);

/** Generations of one's own key that a query of the cache has just read; those of a workflow run end with their run. */
export function generationsInQuery(
  client: QueryClient,
  { queryKey, state }: Pick<Query, 'queryKey' | 'state'>,
): Generation[] {
  const [root, kind] = queryKey;
  if (root !== ROOT || !TRACKED_QUERY_KINDS.has(kind) || !state.data) return [];
  const read = state.data as Generation | List<Generation>;
  const key_id = client.getQueryData<Me>(queryKeys.me)?.key.id;
  return ('data' in read ? read.data : [read]).filter(
    ({ created_by, workflow_run_id }) => workflow_run_id === null && (key_id === undefined || created_by.id === key_id),
  );
}
