import { infiniteQueryOptions, mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { BodyInput } from '#contract/endpoints.ts';
import { type GenerationStatus, isActive } from '#contract/statuses.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { api } from '../api.ts';
import { type LiveList, replaceRow, flattenPages } from './live-list.ts';
import { type EndpointFilters, queryKeys } from './query-keys.ts';

/** Most of these polls are answered with a 304. */
const POLL_MS = 1000;
const REVIEW_POLL_MS = 15_000;
const PAGE_SIZE = 50;

export type GenerationFilters = EndpointFilters<'list_generations'>;

const isActiveStatus = (status: GenerationStatus | undefined) => status !== undefined && isActive(status);

const pollInterval_ms = (status: GenerationStatus | undefined) => {
  if (status === 'manual_review') return REVIEW_POLL_MS;
  return isActiveStatus(status) ? POLL_MS : false;
};

export const loadGeneration = (id: string, signal: AbortSignal) =>
  api.call('get_generation', { params: { generation_id: id }, signal });

/** How long a poll waits for the waveforms of new audio. */
const WAVEFORM_MS = 60_000;

const awaitsWaveform = ({ completed_at, output }: Generation) =>
  completed_at !== null &&
  Date.now() - Date.parse(completed_at) < WAVEFORM_MS &&
  output.assets.some(({ type, derivatives }) => type === 'audio' && derivatives === null);

/** How long a poll waits for the result of a job that was complete at its provider when its cancel arrived. */
const LATE_RESULT_MS = 60_000;

/** Whether a generation was canceled so recently that its provider may have been faster. */
export const awaitsLateResult = ({ status, started_at, completed_at, output }: Generation): boolean =>
  status === 'canceled' &&
  started_at !== null &&
  completed_at !== null &&
  Date.now() - Date.parse(completed_at) < LATE_RESULT_MS &&
  output.assets.length === 0;

const detailPollInterval_ms = (generation: Generation | undefined) =>
  generation && (awaitsWaveform(generation) || awaitsLateResult(generation))
    ? POLL_MS
    : pollInterval_ms(generation?.status);

export const generationQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.generations.detail(id),
    queryFn: ({ signal }) => loadGeneration(id, signal),
    refetchInterval: ({ state }) => detailPollInterval_ms(state.data),
  });

export const loadGenerationPage = (
  filters: GenerationFilters & { limit?: number },
  cursor: string | null,
  signal: AbortSignal,
) => api.call('list_generations', { query: { limit: PAGE_SIZE, ...filters, ...(cursor ? { cursor } : {}) }, signal });

/**
 * All generations that match, newest first, page by page. For a list that polls active ones see `useGenerationList`.
 */
export const generationsQuery = (filters: GenerationFilters = {}) =>
  infiniteQueryOptions({
    queryKey: queryKeys.generations.chosen(filters),
    queryFn: ({ pageParam, signal }) => loadGenerationPage(filters, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });

/** Caches a newer generation in its detail and in every list. A list's row with a truncated input is not a detail. */
export function cacheGenerationRow(client: QueryClient, generation: Generation): void {
  if (!generation.input_truncated) client.setQueryData(queryKeys.generations.detail(generation.id), generation);
  client.setQueriesData<LiveList<Generation>>({ queryKey: queryKeys.generations.lists }, (list) =>
    list ? replaceRow(list, generation) : list,
  );
}

export function cacheGeneration(client: QueryClient, generation: Generation): void {
  cacheGenerationRow(client, generation);
  void client.invalidateQueries({ queryKey: queryKeys.generations.heads });
  void client.invalidateQueries({ queryKey: queryKeys.generations.chosenAll });
  void client.invalidateQueries({ queryKey: queryKeys.generations.attempts });
  void client.invalidateQueries({ queryKey: queryKeys.billing.all });
}

export function cachedGeneration(client: QueryClient, id: string): Generation | undefined {
  const detail = client.getQueryData<Generation>(queryKeys.generations.detail(id));
  if (detail) return detail;
  const lists = client.getQueriesData<LiveList<Generation>>({ queryKey: queryKeys.generations.lists });
  for (const [, list] of lists) {
    const row = list && flattenPages(list.pages).find((each) => each.id === id);
    if (row) return row;
  }
  return undefined;
}

export interface GenerationRequest {
  body: BodyInput<'create_generation'>;
  /** One per press of the button, so that the same request never starts twice. */
  idempotency_key: string;
}

/** Creates a generation. A request without a response is sent again with its idempotency key. */
export const createGenerationMutation = mutationOptions({
  mutationFn: (request: GenerationRequest) => api.call('create_generation', request),
  networkMode: 'always',
});

/** Retries a generation. A request without a response is sent again with its idempotency key. */
export const retryGenerationMutation = mutationOptions({
  mutationFn: ({ id, idempotency_key }: { id: string; idempotency_key: string }) =>
    api.call('retry_generation', { params: { generation_id: id }, idempotency_key }),
  networkMode: 'always',
});
