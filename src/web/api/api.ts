import type {
  BodyInput,
  CsvEndpoint,
  EndpointName,
  ParamsOf,
  QueryOf,
  ResponseOf,
  ZipEndpoint,
} from '#contract/endpoints.ts';
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
  /** 1 to 255 printable ASCII characters. The same request with the same key takes effect once. */
  idempotency_key?: string;
  /** Used instead of the session's credential. Only the caller learns of a 401 then. */
  key?: string;
  /** Sends the request even if the page is closed before the response. */
  keepalive?: boolean;
  deadline_ms?: number;
}

type CallOptions<N extends EndpointName> = CommonOptions &
  OptionPart<'params', ParamsOf<N>> &
  OptionQueryPart<QueryOf<N>> &
  (N extends 'create_upload' ? { body?: never } : OptionPart<'body', BodyInput<N>>);

interface ApiSession {
  getKey: () => string | null;
  /** Called when a request with the session's current key gets a 401. */
  onUnauthorized: (key: string) => unknown;
}

export interface Api {
  /**
   * Calls an endpoint of the contract and returns its body (undefined where that is empty). A repeated read sends its
   * ETag; while the response is unchanged, the very same object is returned.
   * @throws {ApiError} the service rejected the request
   * @throws {NetworkError} the service did not respond within the deadline
   */
  call: <N extends JsonEndpoint>(name: N, ...options: CallArguments<N>) => Promise<ResponseOf<N>>;
  /** Downloads a CSV or ZIP file. The key is in a header. Throws like `call`. */
  download: <N extends CsvEndpoint | ZipEndpoint>(name: N, options: { query: Partial<QueryOf<N>> }) => Promise<Blob>;
  /**
   * Passes the session's key to a request that is sent by other means. Rethrows what `send` throws and handles a 401.
   */
  withCredential: <T>(send: (base_url: string, key: string | null) => Promise<T>) => Promise<T>;
  connect: (session: ApiSession) => void;
  /** Clears the cached responses. Call it when another person signs in. */
  clearCache: () => void;
}

type JsonEndpoint = Exclude<EndpointName, 'create_upload' | CsvEndpoint | ZipEndpoint>;
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

/** Longer than any call takes that succeeds: creating a generation reads the lengths of its media within 15 s. */
const DEADLINE_MS = 60_000;

/**
 * @param base_url origin of the service; empty for the page's own
 * @param deadline_ms time limit of a call; for a file, until it begins to arrive
 */
export function createApi(base_url = '', deadline_ms = DEADLINE_MS): Api {
  let session: ApiSession = { getKey: () => null, onUnauthorized: () => undefined };
  const memory = createResponseCache();

  const refused = (error: ApiError, sent: string | null, own: boolean) => {
    if (error.status === 401 && own && sent !== null && sent === session.getKey()) session.onUnauthorized(sent);
    return error;
  };

  async function request(name: JsonEndpoint, options: UntypedOptions): Promise<unknown> {
    const { method, path, permission } = ENDPOINT_ROUTES[name];
    const url = base_url + buildPath(path, options);
    const key = options.key ?? (permission === null ? null : session.getKey());
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

  async function file(name: CsvEndpoint | ZipEndpoint, options: UntypedOptions): Promise<Blob> {
    const { path } = ENDPOINT_ROUTES[name];
    const key = session.getKey();
    const headers = new Headers({ accept: 'text/csv, application/zip, application/json' });
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
      if (response.ok && !/^(text\/csv|application\/zip)\b/.test(response.headers.get('content-type') ?? '')) {
        throw new NetworkError(undefined, 'unreadable');
      }
      // A blob, not text: the browser keeps a large file outside the page's memory.
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
    // The contract types the response. It is not validated again, which would load the schemas here; the service's
    // tests do that.
    call: (name, ...[options]) => request(name, options ?? {}) as Promise<never>,
    download: file,
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

export const api = createApi();
