import {
  infiniteQueryOptions,
  keepPreviousData,
  type Query,
  type QueryClient,
  type QueryKey,
  queryOptions,
  useMutation,
  type UseMutationOptions,
} from '@tanstack/react-query';
import type { EndpointName, QueryOf, ResponseOf } from '#contract/api/endpoints.ts';
import type { List } from '#contract/primitives.ts';
import { api, type CallArguments, type CallOptions, type JsonEndpoint } from './api.ts';

/** Filters of a list, as in the URL, without its page. */
export type EndpointFilters<N extends EndpointName> = Partial<Omit<NonNullable<QueryOf<N>>, 'cursor' | 'limit'>>;
export type ApiRequest<N extends EndpointName> = Pick<CallOptions<N>, 'params' | 'query' | 'body'>;
export type ListEndpoint = {
  [N in JsonEndpoint]: ResponseOf<N> extends List<unknown> ? N : never;
}[JsonEndpoint];
export type RowOf<N extends ListEndpoint> = ResponseOf<N> extends List<infer R> ? R : never;

/**
 * Key of what an endpoint returned, with the way in which it is cached where that is not the response itself. As a
 * filter, it matches every request that has the named parts: `apiKey('list_media', {}, 'live')`.
 */
export const apiKey = <N extends JsonEndpoint>(
  name: N,
  request: Partial<ApiRequest<N>> = {},
  kind?: string,
): QueryKey => (kind === undefined ? [name, request] : [name, request, kind]);

/** An endpoint with all that it returned, or a key with its filter. */
export type StaleTarget = JsonEndpoint | QueryKey;

/** A query that loads for the first time may have been sent before the change, so it is read again after its response. */
export const invalidate = (client: QueryClient, ...targets: readonly StaleTarget[]): Promise<unknown> =>
  Promise.all(
    targets.map(async (target) => {
      const queryKey = typeof target === 'string' ? [target] : target;
      const cache = client.getQueryCache();
      const loading = new Set(
        cache.findAll({ queryKey, fetchStatus: 'fetching', predicate: (query) => !hasData(query) }),
      );
      await client.invalidateQueries({ queryKey });
      if (loading.size > 0) await client.invalidateQueries({ queryKey, predicate: (query) => loading.has(query) });
    }),
  );

/** Leaves out queries that load for the first time, which would stay without data when they are canceled. */
export const hasData = ({ state }: Pick<Query, 'state'>): boolean => state.data !== undefined;

const send = <N extends JsonEndpoint>(name: N, request: ApiRequest<N>, signal: AbortSignal): Promise<ResponseOf<N>> =>
  // The compiler cannot resolve the conditional type of the arguments before it knows the endpoint.
  api.call(name, ...([{ ...request, signal }] as unknown as CallArguments<N>));

/** Reads a page of a list; null stands for the first. */
export function fetchPage<N extends ListEndpoint>(
  name: N,
  request: ApiRequest<N>,
  cursor: string | null,
  signal: AbortSignal,
): Promise<List<RowOf<N>>> {
  const paged = cursor === null ? request : { ...request, query: { ...request.query, cursor } };
  return send(name, paged as ApiRequest<N>, signal) as Promise<List<RowOf<N>>>;
}

interface CacheOptions {
  staleTime?: number;
  gcTime?: number;
  retry?: false;
  enabled?: boolean;
}

interface ApiQueryOptions<N extends JsonEndpoint, T> extends CacheOptions {
  /** Turns the response into what is cached. */
  read?: (response: ResponseOf<N>) => T | Promise<T>;
  /** The previous response stays visible while that of another request loads. */
  keepPrevious?: boolean;
  poll?: number | ((data: T | undefined) => number | false);
  /** Belongs to the key beside the request. */
  version?: string;
}

/** Query of an endpoint. Its key derives from the request. */
export function apiQuery<N extends JsonEndpoint, T = ResponseOf<N>>(
  name: N,
  request: ApiRequest<N>,
  { read, keepPrevious = false, poll = () => false, version, ...options }: ApiQueryOptions<N, T> = {},
) {
  return queryOptions({
    queryKey: apiKey(name, request, version),
    queryFn: async ({ signal }): Promise<T> => {
      const response = await send(name, request, signal);
      return read ? read(response) : (response as T);
    },
    refetchInterval: typeof poll === 'function' ? ({ state }) => poll(state.data) : poll,
    ...(keepPrevious ? { placeholderData: keepPreviousData } : {}),
    ...options,
  });
}

interface ApiPagesOptions extends CacheOptions {
  keepPrevious?: boolean;
  poll?: number;
}

/** Query of a list, page by page, which is read again as a whole. For one that is not see `useLiveList`. */
export function apiPages<N extends ListEndpoint>(
  name: N,
  request: ApiRequest<N>,
  { keepPrevious = false, poll, ...options }: ApiPagesOptions = {},
) {
  return infiniteQueryOptions({
    queryKey: apiKey(name, request, 'pages'),
    queryFn: ({ pageParam, signal }) => fetchPage(name, request, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: poll ?? false,
    ...(keepPrevious ? { placeholderData: keepPreviousData } : {}),
    ...options,
  });
}

/**
 * For requests whose response holds a secret, or whose body does: not sent again by themselves, not cached, and an
 * error at once while offline, because a dialog waits for them.
 */
export const SEND_ONCE = { retry: false, networkMode: 'always', gcTime: 0 } as const;

interface ApiMutationOptions<T, V, C> extends Omit<UseMutationOptions<T, Error, V, C>, 'mutationFn'> {
  /** What is read again after the request, whether it succeeded or not. The mutation is pending until then. */
  stale?: readonly StaleTarget[];
}

/** Creates the hook of a mutation. */
export function apiMutation<T, V = void, C = unknown>(
  mutationFn: (variables: V) => Promise<T>,
  { stale = [], ...rest }: ApiMutationOptions<T, V, C> = {},
) {
  const options: UseMutationOptions<T, Error, V, C> = {
    mutationFn,
    onSettled: (_data, _error, _variables, _result, { client }) => invalidate(client, ...stale),
    ...rest,
  };
  return function useApiMutation() {
    return useMutation(options);
  };
}
