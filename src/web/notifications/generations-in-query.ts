import type { Query, QueryClient } from '@tanstack/react-query';
import type { Generation } from '#contract/resources/generation.ts';
import { readGenerations } from '#web/api/queries/generations.ts';
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
