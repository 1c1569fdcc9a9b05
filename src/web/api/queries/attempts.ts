import { queryOptions } from '@tanstack/react-query';
import type { Generation } from '#contract/resources/generation.ts';
import { api } from '../api.ts';
import { ApiError } from '../api-errors.ts';

/** How far a chain is followed: back with one request each, forward in pages of the same task and model. */
const MAX_ATTEMPTS = { earlier: 20, pages: 5 };

async function loadEarlierAttempts(generation: Generation, signal: AbortSignal): Promise<Generation[]> {
  const chain: Generation[] = [];
  let id = generation.retry_of;
  while (id !== null && chain.length < MAX_ATTEMPTS.earlier) {
    const earlier = await api
      .call('get_generation', { params: { generation_id: id }, signal })
      .catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      });
    if (earlier) chain.unshift(earlier);
    id = earlier?.retry_of ?? null;
  }
  return chain;
}

/**
 * A generation names the one it retries, but not its retries. They are searched among later generations of the same
 * task and model.
 */
async function loadLaterAttempts(generation: Generation, signal: AbortSignal): Promise<Generation[]> {
  const retries = new Map<string, Generation>();
  const { task, model, created_at } = generation;
  let cursor: string | undefined;
  for (let page = 0; page < MAX_ATTEMPTS.pages; page += 1) {
    const query = { task, ...(model ? { model } : {}), created_after: created_at, limit: 200, cursor };
    const list = await api.call('list_generations', { query, signal });
    for (const row of list.data) if (row.retry_of) retries.set(row.retry_of, row);
    if (list.next_cursor === null) break;
    cursor = list.next_cursor;
  }
  const chain: Generation[] = [];
  let next = retries.get(generation.id);
  while (next && chain.length < retries.size) {
    chain.push(next);
    next = retries.get(next.id);
  }
  return chain;
}

const mayHaveRetries = ({ status }: Generation) => status === 'failed' || status === 'canceled';

/** Loads every attempt of the chain that a generation belongs to, oldest first, including itself. */
export const attemptsQuery = (generation: Generation) =>
  queryOptions({
    queryKey: ['list_generations', { attemptsOf: generation.id }, 'attempts'],
    queryFn: async ({ signal }) => [
      ...(await loadEarlierAttempts(generation, signal)),
      generation,
      ...(mayHaveRetries(generation) ? await loadLaterAttempts(generation, signal) : []),
    ],
  });
