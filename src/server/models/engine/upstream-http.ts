import { rm } from 'node:fs/promises';
import { OutboundError } from '#server/platform/net/outbound-error.ts';
import { saveBody } from '#server/platform/net/save-body.ts';
import type { RemoteService, ServiceSend } from '#server/platform/net/remote-service.ts';
import type { ServiceRequest } from '#server/platform/net/service-fetch.ts';
import type { ServiceListen } from '#server/platform/net/service-listen.ts';
import { EngineError } from './engine.ts';
import { UnfetchedOutputError } from './unfetched-output.ts';
import { UpstreamStatusError, type UpstreamErrorResponse, toUpstreamError } from './upstream-errors.ts';
import { ResponseLostError, UpstreamBusyError, unreadableResponseError } from './upstream.ts';

const MAX_LENGTH = 400;
/** Bounds the cost of the patterns. Secrets are removed before the cut, so that none is cut in two. */
const MAX_READ_LENGTH = 20_000;

/**
 * Makes a provider's message fit for users and logs: one line of at most 400 characters, without secrets and queries.
 */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const longestFirst = secrets.filter((secret) => secret !== '').sort((one, other) => other.length - one.length);
  return (text) => {
    let clean = longestFirst.reduce((left, secret) => left.replaceAll(secret, '•••'), text).slice(0, MAX_READ_LENGTH);
    clean = clean.replace(/:\/\/[^\s"'<>]+/g, (address) => address.split(/[?#]/, 1)[0] ?? '');
    clean = clean.replace(/\bdata:[^\s"'<>]{64,}/gi, 'data:…');
    clean = clean
      .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
      .replace(/\s+/g, ' ')
      .trim();
    return clean.length > MAX_LENGTH ? `${clean.slice(0, MAX_LENGTH - 1)}…` : clean;
  };
}

export interface UpstreamRequest extends ServiceRequest {
  json?: unknown;
  /** Set when the response itself is the result: a 500 then means that no job was accepted. */
  is_not_accepted_on_500?: boolean | undefined;
}

interface UpstreamUrlRequest extends ServiceSend {
  with_credentials: boolean;
}

interface OutputLimits {
  maxBytes: number;
  timeoutMs: number;
  signal: AbortSignal;
}

/** An HTTP client that throws the errors of the port. None of them, causes included, contains a secret. */
export interface UpstreamHttp {
  /**
   * Like `fetch` with credentials; resolves for 2xx only.
   * @throws {EngineError} {UpstreamBusyError} {ResponseLostError}; the signal's reason when aborted
   */
  request(this: void, path: string | URL, init?: UpstreamRequest): Promise<Response>;
  requestVoid(this: void, path: string | URL, init?: UpstreamRequest): Promise<void>;
  /** Like `request`, for a URL that the provider returned: on its own origin or on the public internet. */
  requestUrl(this: void, url: string, init: UpstreamUrlRequest): Promise<Response>;
  /** @throws like `request`; {ResponseLostError} when the response is not JSON */
  requestJson(this: void, path: string | URL, init?: UpstreamRequest): Promise<unknown>;
  /** Like `requestJson`, for responses that say more in their headers. */
  requestJsonWithHeaders(
    this: void,
    path: string | URL,
    init?: UpstreamRequest,
  ): Promise<{ body: unknown; headers: Headers }>;
  /** JSON, or a media file that replaces `file` and leaves `json` undefined. @throws like `requestJson` */
  requestJsonOrFile(
    this: void,
    path: string | URL,
    init: UpstreamRequest & { maxResponseBytes: number },
    file: string,
  ): Promise<{ json: unknown; headers: Headers }>;
  /**
   * Saves an output. @param url absolute, or a path below the base URL
   * @throws {EngineError} when it can never be fetched; {ResponseLostError} when it may succeed later
   */
  download(this: void, url: string, file: string, limits: OutputLimits): Promise<void>;
  /** Reads a websocket with the credentials added. @throws the signal's reason when aborted */
  listen: ServiceListen;
  redact(this: void, text: string): string;
}

export interface UpstreamHttpOptions {
  service: RemoteService;
  api_key: string | null;
  headers?: (apiKey: string) => Readonly<Record<string, string>>;
  /** The error for a response whose body says more than its status, else null. */
  mapError?: (response: UpstreamErrorResponse) => Error | null;
}

const bearer = (apiKey: string): Record<string, string> => ({ authorization: `Bearer ${apiKey}` });

/** @throws {TypeError} for a key that can't be an HTTP header; the message does not contain it */
export function createUpstreamHttp(options: UpstreamHttpOptions): UpstreamHttp {
  const { service, api_key, mapError = () => null } = options;
  if (api_key !== null && !/^[\x21-\x7e]+$/.test(api_key)) {
    throw new TypeError('An API key must consist of printable characters without blanks.');
  }
  const credentials = api_key === null ? {} : (options.headers ?? bearer)(api_key);
  const redact = createRedactor(api_key === null ? [] : [api_key, ...Object.values(credentials)]);

  async function request(path: string | URL, init: UpstreamRequest = {}): Promise<Response> {
    const { json, is_not_accepted_on_500 = false, headers, ...rest } = init;
    const allHeaders = new Headers({
      ...credentials,
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    });
    new Headers(headers ?? {}).forEach((value, name) => allHeaders.set(name, value));
    const body = json === undefined ? {} : { body: JSON.stringify(json) };
    const response = await service
      .fetch(path, { ...rest, ...body, headers: allHeaders })
      .catch(rethrowWith(REQUEST_ERRORS));
    return accept(response, `${init.method ?? 'GET'} ${redact(withoutQuery(path))}`, is_not_accepted_on_500);
  }

  async function requestJsonWithHeaders(path: string | URL, init?: UpstreamRequest) {
    const response = await request(path, init);
    return { body: await readJson(response), headers: response.headers };
  }

  async function accept(response: Response, about: string, is_not_accepted_on_500 = false): Promise<Response> {
    if (response.ok) return response;
    const text = await response.text().catch(rethrowWith(REQUEST_ERRORS));
    throw toUpstreamError({ response, text, about, redact, explain: mapError, is_not_accepted_on_500 });
  }

  async function readJson(response: Response): Promise<unknown> {
    const text = await response.text().catch(rethrowWith(REQUEST_ERRORS));
    try {
      return JSON.parse(text);
    } catch {
      const cause = new Error(`Not JSON: ${redact(text)}`);
      throw unreadableResponseError(cause);
    }
  }

  return {
    request,
    async requestVoid(path, init) {
      const response = await request(path, init);
      await response.body?.cancel();
    },
    async requestUrl(url, { with_credentials, headers, ...init }) {
      const allHeaders = { ...(with_credentials ? credentials : {}), ...headers };
      const response = await service.send(url, { ...init, headers: allHeaders }).catch(rethrowWith(REQUEST_ERRORS));
      return accept(response, `${init.method ?? 'POST'} ${redact(withoutQuery(url))}`);
    },
    requestJson: async (path, init) => (await requestJsonWithHeaders(path, init)).body,
    requestJsonWithHeaders,
    async requestJsonOrFile(path, init, file) {
      const response = await request(path, init);
      const { headers, body } = response;
      if (!body || !MEDIA_TYPE.test(headers.get('content-type') ?? ''))
        return { json: await readJson(response), headers };
      await rm(file, { force: true });
      await saveBody(body, headers.get('content-length'), file, init.maxResponseBytes).catch(
        rethrowWith(REQUEST_ERRORS),
      );
      return { json: undefined, headers };
    },
    async download(url, file, limits) {
      await rm(file, { force: true });
      await service.download(url, file, { ...limits, headers: credentials }).catch(rethrowWith(DOWNLOAD_ERRORS));
    },
    listen: (path, listening, read) =>
      service.listen(path, { ...listening, headers: { ...credentials, ...listening.headers } }, read),
    redact,
  };
}

const MEDIA_TYPE = /^\s*((image|video|audio)\/|application\/octet-stream)/i;

const withoutQuery = (path: string | URL): string => String(path).replace(/[?#].*$/s, '');

/** Whether what was asked for is gone; an output that is gone says more itself. */
export function isNotFoundError(error: unknown): boolean {
  if (error instanceof UnfetchedOutputError) return false;
  const cause = error instanceof Error ? error.cause : undefined;
  const hasStatus = cause instanceof UpstreamStatusError || cause instanceof OutboundError;
  return hasStatus && (cause.status_code === 404 || cause.status_code === 410);
}

type ErrorTable = Record<OutboundError['code'], (error: OutboundError) => Error>;

/** Maps errors of the transport to those of the port; others, such as the signal's reason, pass through. */
const rethrowWith =
  (table: ErrorTable) =>
  (error: unknown): never => {
    throw error instanceof OutboundError ? table[error.code](error) : error;
  };

const busyError = (cause: OutboundError): Error => new UpstreamBusyError('The provider can’t be reached.', { cause });
const responseLostError = (cause: OutboundError): Error =>
  new ResponseLostError('The provider’s response was lost.', { cause });
const unusableResultError = (cause: OutboundError): Error =>
  new EngineError('engine_failed', `The output can’t be fetched: ${cause.message}`, { cause });

const REQUEST_ERRORS = {
  not_connected: busyError,
  unknown_host: busyError,
  resolver_failed: busyError,
  unreachable: responseLostError,
  timeout: responseLostError,
  bad_status: responseLostError,
  too_many_redirects: responseLostError,
  blocked: unusableResultError,
  invalid_url: unusableResultError,
  too_large: unusableResultError,
} as const satisfies ErrorTable;

/** An output that can't be fetched now exists nevertheless, so fetching it is retried. */
const DOWNLOAD_ERRORS = {
  ...REQUEST_ERRORS,
  not_connected: responseLostError,
  unknown_host: responseLostError,
  resolver_failed: responseLostError,
  too_many_redirects: unusableResultError,
} as const satisfies ErrorTable;
