import {
  type InfiniteData,
  type QueryClient,
  type QueryKey,
  queryOptions,
  useQueryClient,
} from '@tanstack/react-query';
import type { BodyInput, ResponseOf } from '#contract/api/endpoints.ts';
import { type GenerationStatus, isActive } from '#contract/statuses.ts';
import type { Asset, Generation } from '#contract/resources/generation.ts';
import { api } from '../api.ts';
import { apiKey, apiMutation, apiPages, apiQuery, type EndpointFilters, hasData, invalidate } from '../api-query.ts';
import { insertRow, type LiveList, replaceRow } from '../live-list.ts';
import { useLiveList } from '../use-live-list.ts';
import { useInvalidateOnChange, usePollActiveRows } from '../use-poll-active-rows.ts';
import { BILLING_READS, GENERATION_LISTS } from './stale-endpoints.ts';

/** Most of these polls are answered with a 304. `open`: a list whose results are watched. */
const POLL_MS = { active: 1000, open: 1000, review: 15_000, list: 2000, olderRows: 5000 };
const PAGE_SIZE = 50;
/** How long a poll waits for the waveforms of new audio. */
const WAVEFORM_MS = 60_000;
/** How long a poll waits for the result of a job that was complete at its provider when its cancel arrived. */
const LATE_RESULT_MS = 60_000;

export type GenerationFilters = EndpointFilters<'list_generations'>;

/** How often an unfinished piece of work is read again; false: it is finished. */
export const pollInterval = (status: GenerationStatus | undefined): number | false => {
  if (status === 'manual_review') return POLL_MS.review;
  return status !== undefined && isActive(status) ? POLL_MS.active : false;
};

const awaitsWaveform = ({ completed_at, output }: Generation) =>
  completed_at !== null &&
  Date.now() - Date.parse(completed_at) < WAVEFORM_MS &&
  output.assets.some(({ type, derivatives }) => type === 'audio' && derivatives === null);

/** Whether a generation was canceled so recently that its provider may have been faster. */
const awaitsLateResult = ({ status, started_at, completed_at, output }: Generation): boolean =>
  status === 'canceled' &&
  started_at !== null &&
  completed_at !== null &&
  Date.now() - Date.parse(completed_at) < LATE_RESULT_MS &&
  output.assets.length === 0;

function generationPollInterval(generation: Generation | undefined): number | false {
  if (generation && (awaitsWaveform(generation) || awaitsLateResult(generation))) return POLL_MS.active;
  return pollInterval(generation?.status);
}

export const generationQuery = (id: string) =>
  apiQuery('get_generation', { params: { generation_id: id } }, { poll: generationPollInterval });

/** A generation that the list on the page keeps current. It is polled by itself where no list has it. */
export function listedGenerationQuery(client: QueryClient, id: string) {
  const { queryKey, queryFn } = generationQuery(id);
  return queryOptions({
    queryKey,
    queryFn,
    placeholderData: () => cachedGeneration(client, id),
    refetchInterval: ({ state: { data } }) =>
      findInLists(client, id, 'active') ? false : generationPollInterval(data),
  });
}

export const loadGenerationPage = (
  filters: GenerationFilters & { limit?: number },
  cursor: string | null,
  signal: AbortSignal,
) => api.call('list_generations', { query: { limit: PAGE_SIZE, ...filters, ...(cursor ? { cursor } : {}) }, signal });

/**
 * All generations that match, newest first, page by page. For a list that polls active ones see `useGenerationList`.
 */
export const generationsQuery = (filters: GenerationFilters = {}) =>
  apiPages('list_generations', { query: { limit: PAGE_SIZE, ...filters } });

const isActiveGeneration = ({ status }: Generation) => isActive(status);

/**
 * Generations that match, with active ones polled.
 * @param isReady false: the filters are not known yet
 * @param isWatched the newest results are watched while they are made
 */
export function useGenerationList(filters: GenerationFilters, isReady?: boolean, isWatched = false) {
  const client = useQueryClient();
  const request = { query: { limit: PAGE_SIZE, ...filters } };
  const list = useLiveList({
    name: 'list_generations',
    request,
    isReady,
    isSorted: filters.sort !== undefined,
    read: (page) => {
      for (const row of page.data) updateDetail(client, row);
      return page;
    },
    poll: (rows) => {
      const changes = rows.some((row) => isActive(row.status) || awaitsLateResult(row) || awaitsWaveform(row));
      return changes && (isWatched ? POLL_MS.open : POLL_MS.list);
    },
  });
  usePollActiveRows<Generation>({
    listKey: apiKey('list_generations', request, 'live'),
    list,
    isRowActive: isActiveGeneration,
    queryOf: (id) => ({
      queryKey: generationQuery(id).queryKey,
      load: (signal) => api.call('get_generation', { params: { generation_id: id }, signal }),
    }),
    pollMs: POLL_MS.olderRows,
  });
  const activeIds = list.rows.filter(isActiveGeneration).map(({ id }) => id);
  useInvalidateOnChange(activeIds.join(), BILLING_READS);
  return list;
}

/** Caches a newer generation in its detail and in every list. A list's row with a truncated input is not a detail. */
export function cacheGenerationRow(client: QueryClient, generation: Generation): void {
  if (!generation.input_truncated) client.setQueryData(generationQuery(generation.id).queryKey, generation);
  client.setQueriesData<LiveList<Generation>>(
    { queryKey: GENERATION_LISTS },
    (list) => list && replaceRow(list, generation),
  );
}

export function cacheGeneration(client: QueryClient, generation: Generation): void {
  cacheGenerationRow(client, generation);
  void invalidate(
    client,
    GENERATION_LISTS,
    apiKey('list_generations', {}, 'pages'),
    apiKey('list_generations', {}, 'attempts'),
    ...BILLING_READS,
  );
}

/** Shows new generations on top of the lists without filters, as these will be read. */
export async function cacheNewGenerations(client: QueryClient, generations: readonly Generation[]): Promise<void> {
  // A response to an earlier request lacks them.
  await client.cancelQueries({ queryKey: GENERATION_LISTS, predicate: hasData });
  for (const generation of generations) {
    const isWholeList = ({ queryKey }: { queryKey: QueryKey }) => {
      const { query } = queryKey[1] as { query: GenerationFilters & { limit: number } };
      const { limit: _limit, person_id, ...filters } = query;
      const isTheirs = person_id === undefined || person_id === generation.created_by.person?.id;
      return isTheirs && Object.keys(filters).length === 0;
    };
    client.setQueriesData<LiveList<Generation>>(
      { queryKey: GENERATION_LISTS, predicate: isWholeList },
      (list) => list && insertRow(list, generation),
    );
    cacheGenerationRow(client, generation);
  }
  const [newest] = generations;
  if (newest) cacheGeneration(client, newest);
}

/** A row of a list is as new as the detail that is read alone, but may lack the rest of a long input. */
const updateDetail = (client: QueryClient, { input_truncated, ...row }: Generation): void =>
  void client.setQueryData(generationQuery(row.id).queryKey, (known) =>
    known && row.updated_at >= known.updated_at ? { ...row, input: input_truncated ? known.input : row.input } : known,
  );

function findInLists(client: QueryClient, id: string, type: 'all' | 'active'): Generation | undefined {
  for (const { state } of client.getQueryCache().findAll({ queryKey: GENERATION_LISTS, type })) {
    const row = (state.data as LiveList<Generation> | undefined)?.rows.find((each) => each.id === id);
    if (row) return row;
  }
  return undefined;
}

export const cachedGeneration = (client: QueryClient, id: string): Generation | undefined =>
  client.getQueryData(generationQuery(id).queryKey) ?? findInLists(client, id, 'all');

/** The generations in the data of a query: one that was read alone, or the newest rows of a list. */
export function readGenerations([name, , kind]: QueryKey, data: unknown): readonly Generation[] {
  if (!data) return [];
  if (name === 'get_generation') return [data as Generation];
  if (name !== 'list_generations' || kind !== 'live') return [];
  const { rows, newest } = data as LiveList<Generation>;
  return rows.slice(0, newest.data.length);
}

/** Changes files of generations in the cache, without reading long lists again. */
export function updateCachedAssets(
  client: QueryClient,
  ids: ReadonlySet<string>,
  change: Partial<Pick<Asset, 'favourite' | 'removed_at' | 'name'>>,
): void {
  const update = (generation: Generation): Generation => {
    const { output } = generation;
    if (!output.assets.some(({ id }) => ids.has(id))) return generation;
    const assets = output.assets.map((asset) => (ids.has(asset.id) ? { ...asset, ...change } : asset));
    return { ...generation, output: { ...output, assets } };
  };
  client.setQueriesData<LiveList<Generation>>({ queryKey: GENERATION_LISTS }, (list) => {
    if (!list) return list;
    const rows = list.rows.map(update);
    return rows.every((row, at) => row === list.rows[at]) ? list : { ...list, rows };
  });
  client.setQueriesData<Generation>(
    { queryKey: apiKey('get_generation') },
    (generation) => generation && update(generation),
  );
  client.setQueriesData<InfiniteData<ResponseOf<'list_batch_orders'>>>(
    { queryKey: apiKey('list_batch_orders') },
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({
          ...page,
          data: page.data.map((order) =>
            order.generation ? { ...order, generation: update(order.generation) } : order,
          ),
        })),
      },
  );
}

export interface GenerationRequest {
  body: BodyInput<'create_generation'>;
  /** One per press of the button, so that the same request never starts twice. */
  idempotency_key: string;
}

export const createGeneration = (request: GenerationRequest) => api.call('create_generation', request);

/** Creates generations together or none. */
export async function createTogether(
  orders: readonly GenerationRequest['body'][],
  idempotencyKey: string,
): Promise<readonly Generation[]> {
  const body = { mode: 'together' as const, orders: [...orders] };
  const { generations = [] } = await api.call('create_batch', { body, idempotency_key: idempotencyKey });
  return generations;
}

export const retryGeneration = ({ id, idempotency_key }: { id: string; idempotency_key: string }) =>
  api.call('retry_generation', { params: { generation_id: id }, idempotency_key });

/** Retries a generation. A request without a response is sent again with its idempotency key. */
export const useRetryGeneration = apiMutation(retryGeneration, {
  networkMode: 'always',
  onSuccess: (generation, _request, _result, { client }) => cacheGeneration(client, generation),
});

/** Cancels a generation. The cache shows it at once and is restored where the service refuses. */
export const useCancelGeneration = apiMutation(
  (id: string) => api.call('cancel_generation', { params: { generation_id: id } }),
  {
    onMutate: async (id, { client }) => {
      // A response to an earlier request must not restore the previous state.
      await client.cancelQueries({ queryKey: GENERATION_LISTS, predicate: hasData });
      await client.cancelQueries({ queryKey: generationQuery(id).queryKey });
      const previous = cachedGeneration(client, id);
      if (previous && isActive(previous.status))
        cacheGenerationRow(client, { ...previous, status: 'canceled', progress: null });
      return { previous };
    },
    onError: (_error, _id, context, { client }) => {
      if (context?.previous) cacheGenerationRow(client, context.previous);
    },
    onSuccess: (generation, _id, _result, { client }) => cacheGeneration(client, generation),
  },
);
