import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';
import type { Generation } from '#contract/resources/generation.ts';
import type { LiveList } from '#web/api/live-list.ts';
import { meQuery } from '#web/api/queries/me.ts';

/** Generations of the person's key in the data of a query, without those of workflow runs. */
export function generationsInQuery(
  client: QueryClient,
  { queryKey, state }: Pick<Query, 'queryKey' | 'state'>,
): Generation[] {
  const keyId = client.getQueryData(meQuery.queryKey)?.key.id;
  return readGenerations(queryKey, state.data).filter(
    ({ created_by, workflow_run_id }) => workflow_run_id === null && (keyId === undefined || created_by.id === keyId),
  );
}

/** A generation that was read alone, or the newest rows of a list. */
function readGenerations([name, , kind]: QueryKey, data: unknown): readonly Generation[] {
  if (!data) return [];
  if (name === 'get_generation') return [data as Generation];
  if (name !== 'list_generations' || kind !== 'live') return [];
  const { rows, newest } = data as LiveList<Generation>;
  return rows.slice(0, newest.data.length);
}
