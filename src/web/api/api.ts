import type { BodyInput, CsvEndpoint, EndpointName, ParamsOf, QueryOf, ResponseOf } from '#contract/endpoints.ts';
import { ENDPOINT_ROUTES } from '#contract/endpoint-routes.ts';
import { ApiError, NetworkError, parseJson, parseApiError, toNetworkError } from './api-errors.ts';
import { createResponseCache } from './response-cache.ts';

type OptionPart<K extends string, V> = [V] extends [undefined]
  ? { [P in K]?: undefined }
  : undefined extends V
    ? { [P in K]?: V }
    : { [P in K]: V };
type OptionQueryPart<Q> = [Q] extends [undefined] ? { query?: undefined } : { query?: Partial<Q> };

interface CommonOptions {
  signal?: AbortSignal;
  /** 1–255 printable ASCII; the same request with the same key takes effect once. */
  idempotency_key?: string;
  /** Used instead of the session's credential. A 401 then reaches the caller alone. */
  key?: string;
  /** Sent even if the page is closed before the response. */
  keepalive?: boolean;
  /** How long this call may take in all, where a minute is too short. */
  deadline_ms?: number;
}

type CallOptions<N extends EndpointName> = CommonOptions &
  OptionPart<'params', ParamsOf<N>> &
  OptionQueryPart<QueryOf<N>> &
  (N extends 'create_upload' ? { body?: never } : OptionPart<'body', BodyInput<N>>);

/** What the client needs to know of who is signed in. */
interface ApiSession {
  getKey: () => string | null;
  /** A request with the session's key, as it still is, was answered 401. */
  onUnauthorized: (key: string) => unknown;
}

export interface Api {
  /**
   * Calls an endpoint of the contract and answers its body (undefined where that is empty). A read that was made before
   * is asked for with its ETag; while it is unchanged, the very same object comes back.
   * @throws {ApiError} the service refused
   * @throws {NetworkError} no response of the service, within a deadline
   */
  call: <N extends JsonEndpoint>(name: N, ...options: CallArguments<N>) => Promise<ResponseOf<N>>;
  /** Reads a file of comma-separated values, with the key in a header. Throws as `call` does. */
  downloadCsv: <N extends CsvEndpoint>(name: N, options: { query: Partial<QueryOf<N>> }) => Promise<Blob>;
  /** Lends the session's key to a request that is made by other means. Throws what `send` throws; an `ApiError` is heard of. */
  withCredential: <T>(send: (base_url: string, key: string | null) => Promise<T>) => Promise<T>;
  /** Says whose key is sent; by default none is. */
  connect: (session: ApiSession) => void;
  /** Forgets the answers kept for 304s: call it when another person signs in. */
  clearCache: () => void;
}

type JsonEndpoint = Exclude<EndpointName, 'create_upload' | CsvEndpoint>;
type CallArguments<N extends EndpointName> =
  Record<never, never> extends CallOptions<N> ? [options?: CallOptions<N>] : [options: CallOptions<N>];

interface UntypedOptions extends CommonOptions {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
}

function buildPath(template: string, { params, query }: UntypedOptions): string {
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params?.[name] ?? ''));
  const search = new URLSearchParams(
    Object.entries(query ?? {}).flatMap(([name, value]) =>
      value === undefined || value === null || value === '' ? [] : [[name, String(value)]],
    ),
  ).toString();
  return search ? `${path}?${search}` : path;
}

/** Longer than any call may take that works: a create reads the lengths of its media within 15 s. */
const DEADLINE_MS = 60_000;

/**
 * @param base_url origin of the service; empty: the page's own
 * @param deadline_ms how long a call may take in all; of a file, until it begins to arrive
 */
export function createApi(base_url = '', deadline_ms = DEADLINE_MS): Api {
  let session: ApiSession = { getKey: () => null, onUnauthorized: () => undefined };
  const memory = createResponseCache();

  const refused = (error: ApiError, sent: string | null, own: boolean) => {
    if (error.status === 401 && own && sent !== null && sent === session.getKey()) session.onUnauthorized(sent);
    return error;
  };

  async function request(name: JsonEndpoint, options: UntypedOptions): Promise<unknown> {
    const { method, path, auth } = ENDPOINT_ROUTES[name];
    const url = base_url + buildPath(path, options);
    const key = options.key ?? (auth === 'none' ? null : session.getKey());
    const known = method === 'GET' ? memory.get(url, key) : undefined;
    const headers = new Headers({ accept: 'application/json' });
    if (key) headers.set('authorization', `Bearer ${key}`);
    if (known) headers.set('if-none-match', known.etag);
    if (options.idempotency_key) headers.set('idempotency-key', options.idempotency_key);
    if (options.body !== undefined) headers.set('content-type', 'application/json');
    try {
      const response = await fetch(url, {
        method,
        headers,
        credentials: 'omit',
        ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
        ...(options.keepalive ? { keepalive: true } : {}),
        signal: AbortSignal.any([
          AbortSignal.timeout(options.deadline_ms ?? deadline_ms),
          ...(options.signal ? [options.signal] : []),
        ]),
      });
      if (response.status === 304 && known) return known.body;
      const text = await response.text();
      if (!response.ok) throw parseApiError(response.status, text, (header) => response.headers.get(header));
      if (response.status === 204) return undefined;
      const body = parseJson(text);
      const etag = response.headers.get('etag');
      if (method === 'GET' && etag) memory.set(url, key, { etag, body });
      return body;
    } catch (error) {
      if (error instanceof ApiError) throw refused(error, key, !options.key);
      throw toNetworkError(error);
    }
  }

  async function file(name: CsvEndpoint, options: UntypedOptions): Promise<Blob> {
    const { path } = ENDPOINT_ROUTES[name];
    const key = session.getKey();
    const headers = new Headers({ accept: 'text/csv, application/json' });
    if (key) headers.set('authorization', `Bearer ${key}`);
    const deadline = new AbortController();
    const timer = setTimeout(
      () => deadline.abort(new DOMException('No response in time.', 'TimeoutError')),
      deadline_ms,
    );
    const { signal } = deadline;
    try {
      const response = await fetch(base_url + buildPath(path, options), { headers, credentials: 'omit', signal });
      clearTimeout(timer);
      if (response.ok && !/^text\/csv\b/.test(response.headers.get('content-type') ?? '')) {
        throw new NetworkError(undefined, 'unreadable');
      }
      // Not as text: the browser keeps a large file outside of the page's memory.
      if (response.ok) return await response.blob();
      const refusal = parseApiError(response.status, await response.text(), (header) => response.headers.get(header));
      throw refused(refusal, key, true);
    } catch (error) {
      throw error instanceof ApiError ? error : toNetworkError(error);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    // The answer is typed by the contract and not parsed again: that is the service's tested promise, and saves its schemas here.
    call: (name, ...[options]) => request(name, options ?? {}) as Promise<never>,
    downloadCsv: file,
    withCredential: async (send) => {
      const key = session.getKey();
      try {
        return await send(base_url, key);
      } catch (error) {
        throw error instanceof ApiError ? refused(error, key, true) : error;
      }
    },
    connect: (next) => {
      session = next;
    },
    clearCache: () => memory.clear(),
  };
}

/** The service that serves this page. */
export const api = createApi();
