import type {
  BinaryEndpoint,
  BodyInput,
  CsvEndpoint,
  EndpointName,
  ParamsOf,
  QueryOf,
  ResponseOf,
} from '#contract/api/endpoints.ts';
import { ENDPOINT_ROUTES, type EndpointRoute } from '#contract/api/endpoint-routes.ts';
import { ApiError, NetworkError, parseErrorResponse, parseJson, toNetworkError } from './api-errors.ts';
import { createResponseCache } from './response-cache.ts';
import { SESSION_HEADER } from '#contract/api/headers.ts';

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
  /** Sends and accepts the session's cookie, although the page may be signed out: to sign in, and to end the cookie. */
  withCookie?: boolean;
  /** Sends the request even if the page is closed before the response. */
  keepalive?: boolean;
  deadlineMs?: number;
  /** The body of an endpoint that takes the bytes of a file. */
  file?: Blob;
}

export type CallOptions<N extends EndpointName> = CommonOptions &
  OptionPart<'params', ParamsOf<N>> &
  OptionQueryPart<QueryOf<N>> &
  (N extends 'create_upload' ? { body?: never } : OptionPart<'body', BodyInput<N>>);

interface ApiSession {
  getSession: () => { id: string } | null;
  /** Called when a request with the current session gets a 401. */
  onUnauthorized: () => unknown;
}

export interface Api {
  /**
   * Calls an endpoint of the contract and returns its body (undefined where that is empty). A repeated read sends its
   * ETag; while the response is unchanged, the very same object is returned.
   * @throws {ApiError} the service rejected the request
   * @throws {NetworkError} the service did not respond within the deadline
   */
  call: <N extends JsonEndpoint>(name: N, ...options: CallArguments<N>) => Promise<ResponseOf<N>>;
  /** Downloads a CSV, ZIP or PDF file. Throws like `call`. */
  download: <N extends CsvEndpoint | BinaryEndpoint>(
    name: N,
    options: OptionPart<'params', ParamsOf<N>> & OptionQueryPart<QueryOf<N>>,
  ) => Promise<Blob>;
  /**
   * Sends a request by other means, with the cookies of this origin. Rethrows what `send` throws and handles a 401.
   */
  withSession: <T>(send: (baseUrl: string) => Promise<T>) => Promise<T>;
  connect: (session: ApiSession) => void;
  /** Clears the cached responses. Call it when another person signs in. */
  clearCache: () => void;
}

export type JsonEndpoint = Exclude<EndpointName, 'create_upload' | CsvEndpoint | BinaryEndpoint>;
export type CallArguments<N extends EndpointName> =
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

/** A request with a key, or without a session, is sent without the cookie, which could belong to somebody else. */
const cookiePolicy = (isSent: boolean): RequestCredentials => (isSent ? 'same-origin' : 'omit');

/** Longer than any call takes that succeeds: creating a generation reads the lengths of its media within 15 s. */
const DEADLINE_MS = 60_000;

/**
 * @param base_url origin of the service; empty for the page's own
 * @param deadlineMs time limit of a call; for a file, until it begins to arrive
 */
export function createApi(base_url = '', deadlineMs = DEADLINE_MS): Api {
  let connected: ApiSession = { getSession: () => null, onUnauthorized: () => undefined };
  const memory = createResponseCache();

  const refused = (error: ApiError, sessionId: string | undefined) => {
    if (error.status === 401 && sessionId !== undefined && sessionId === connected.getSession()?.id)
      connected.onUnauthorized();
    return error;
  };

  async function request(name: JsonEndpoint, options: UntypedOptions): Promise<unknown> {
    const { method, path, permission, knows_caller }: EndpointRoute = ENDPOINT_ROUTES[name];
    const url = base_url + buildPath(path, options);
    const isOwn = options.key === undefined && (permission !== null || knows_caller) && !options.withCookie;
    const session = isOwn ? connected.getSession() : null;
    const owner = options.key ?? session?.id ?? null;
    const known = method === 'GET' ? memory.get(url, owner) : undefined;
    const headers = new Headers({
      accept: 'application/json',
      ...(options.key === undefined ? {} : { authorization: `Bearer ${options.key}` }),
      ...(options.withCookie ? { [SESSION_HEADER]: 'cookie' } : {}),
    });
    if (known) headers.set('if-none-match', known.etag);
    if (options.idempotency_key) headers.set('idempotency-key', options.idempotency_key);
    if (options.body !== undefined) headers.set('content-type', 'application/json');
    else if (options.file) headers.set('content-type', 'application/octet-stream');
    try {
      const response = await fetch(url, {
        method,
        headers,
        credentials: cookiePolicy(options.withCookie === true || session !== null),
        ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
        ...(options.file ? { body: options.file } : {}),
        ...(options.keepalive ? { keepalive: true } : {}),
        signal: AbortSignal.any([
          AbortSignal.timeout(options.deadlineMs ?? deadlineMs),
          ...(options.signal ? [options.signal] : []),
        ]),
      });
      if (response.status === 304 && known) return known.body;
      const text = await response.text();
      if (!response.ok) throw parseErrorResponse(response.status, text, (header) => response.headers.get(header));
      if (response.status === 204) return undefined;
      const body = parseJson(text);
      const etag = response.headers.get('etag');
      if (method === 'GET' && etag) memory.set(url, owner, { etag, body });
      return body;
    } catch (error) {
      if (error instanceof ApiError) throw refused(error, session?.id);
      throw toNetworkError(error);
    }
  }

  async function file(name: CsvEndpoint | BinaryEndpoint, options: UntypedOptions): Promise<Blob> {
    const { path } = ENDPOINT_ROUTES[name];
    const session = connected.getSession();
    const headers = {
      accept: 'text/csv, application/zip, application/pdf, application/octet-stream, application/json',
    };
    const deadline = new AbortController();
    const timer = setTimeout(
      () => deadline.abort(new DOMException('No response in time.', 'TimeoutError')),
      deadlineMs,
    );
    const { signal } = deadline;
    try {
      const response = await fetch(base_url + buildPath(path, options), {
        headers,
        credentials: cookiePolicy(session !== null),
        signal,
      });
      clearTimeout(timer);
      if (
        response.ok &&
        !/^(text\/csv|application\/(zip|pdf|octet-stream))\b/.test(response.headers.get('content-type') ?? '')
      ) {
        throw new NetworkError(undefined, 'unreadable');
      }
      // A blob, not text: the browser keeps a large file outside the page's memory.
      if (response.ok) return await response.blob();
      throw parseErrorResponse(response.status, await response.text(), (header) => response.headers.get(header));
    } catch (error) {
      throw error instanceof ApiError ? refused(error, session?.id) : toNetworkError(error);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    // The contract types the response. It is not validated again, which would load the schemas here; the service's
    // tests do that.
    call: (name, ...[options]) => request(name, options ?? {}) as Promise<never>,
    download: file,
    withSession: async (send) => {
      const session = connected.getSession();
      try {
        return await send(base_url);
      } catch (error) {
        throw error instanceof ApiError ? refused(error, session?.id) : error;
      }
    },
    connect: (next) => {
      connected = next;
    },
    clearCache: () => memory.clear(),
  };
}

export const api = createApi();
