import { rm } from 'node:fs/promises';
import { OutboundError } from '#server/net/outbound-error.ts';
import type { RemoteService, ServiceSend } from '#server/net/remote-service.ts';
import type { ServiceRequest } from '#server/net/service-fetch.ts';
import type { ServiceListen } from '#server/net/service-listen.ts';
import { EngineError } from './engine.ts';
import { UpstreamStatusError, type UpstreamErrorResponse, toUpstreamError } from './upstream-errors.ts';
import { ResponseLostError, UpstreamBusyError } from './upstream.ts';

const MAX_LENGTH = 400;
/** Enough for a sentence after whatever is taken out. Secrets are taken out before, so that none is cut in two. */
const MAX_READ_LENGTH = 20_000;

/**
 * Makes another service's words fit for a person and a log: one line, at most 400 characters, no control characters,
 * none of the secrets, and no query of an address, which may be its signature.
 */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const long_first = secrets.filter((secret) => secret !== '').sort((one, other) => other.length - one.length);
  return (text) => {
    let clean = long_first.reduce((left, secret) => left.replaceAll(secret, '•••'), text).slice(0, MAX_READ_LENGTH);
    clean = clean.replace(/([a-z][a-z0-9+.-]*:\/\/[^\s"'<>?#]*)[?#][^\s"'<>]*/gi, '$1');
    clean = clean.replace(/\bdata:[^\s"'<>]{64,}/gi, 'data:…');
    clean = clean
      .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
      .replace(/\s+/g, ' ')
      .trim();
    return clean.length > MAX_LENGTH ? `${clean.slice(0, MAX_LENGTH - 1)}…` : clean;
  };
}

export interface UpstreamRequest extends ServiceRequest {
  /** Sent as JSON. */
  json?: unknown;
  /** A 500 says that nothing was taken, because the answer itself would have been the result. */
  is_not_accepted_on_500?: boolean | undefined;
}

interface UpstreamUrlRequest extends ServiceSend {
  with_credentials: boolean;
}

interface OutputLimits {
  max_bytes: number;
  timeout_ms: number;
  signal: AbortSignal;
}

/** Speaks HTTP with an upstream in the errors of the port. All of them, and their causes, are fit for a log. */
export interface UpstreamHttp {
  /**
   * Like `fetch`, so that it can be given to a client library, with the credentials added. Resolves for 2xx alone.
   * @throws {EngineError} {UpstreamBusyError} {ResponseLostError}; the signal's reason when aborted
   */
  request(this: void, path: string | URL, init?: UpstreamRequest): Promise<Response>;
  /** Like `request`, where nothing of the answer matters but that it is 2xx. */
  requestVoid(this: void, path: string | URL, init?: UpstreamRequest): Promise<void>;
  /**
   * Like `request`, to an address that the upstream names, on its own origin or on the internet. Credentials go along
   * only where `with_credentials` says so.
   */
  requestUrl(this: void, url: string, init: UpstreamUrlRequest): Promise<Response>;
  /** The JSON of an answer. @throws like `request`; {ResponseLostError} where it is none */
  requestJson(this: void, path: string | URL, init?: UpstreamRequest): Promise<unknown>;
  /**
   * Saves an output in place of what stands there.
   * @param url or a path below the base URL
   * @throws {EngineError} where it can't be had at all; {ResponseLostError} where it may be had later
   */
  download(this: void, url: string, file: string, limits: OutputLimits): Promise<void>;
  /** Listens to a websocket, with the credentials added. @throws the signal's reason when aborted */
  listen: ServiceListen;
  /** The upstream's words as a person may read them: one line, not long, without secrets. */
  redact(this: void, text: string): string;
}

export interface UpstreamHttpOptions {
  service: RemoteService;
  /** null: the upstream takes none. Never in an error. */
  api_key: string | null;
  /** Credentials and what else goes with each request to the service. */
  headers?: (api_key: string) => Readonly<Record<string, string>>;
  /** What an answer that is not 2xx means, where the upstream says more than the status; null where it does not. */
  mapError?: (refusal: UpstreamErrorResponse) => Error | null;
}

const bearer = (api_key: string): Record<string, string> => ({ authorization: `Bearer ${api_key}` });

/** @throws {TypeError} for a key that can't stand in a header; it doesn't show it */
export function createUpstreamHttp(options: UpstreamHttpOptions): UpstreamHttp {
  const { service, api_key, mapError = () => null } = options;
  if (api_key !== null && !/^[\x21-\x7e]+$/.test(api_key)) {
    throw new TypeError('An API key must consist of printable characters without blanks.');
  }
  const credentials = api_key === null ? {} : (options.headers ?? bearer)(api_key);
  const redact = createRedactor(api_key === null ? [] : [api_key, ...Object.values(credentials)]);

  async function request(path: string | URL, init: UpstreamRequest = {}): Promise<Response> {
    const { json, is_not_accepted_on_500 = false, headers, ...rest } = init;
    const all = new Headers({ ...credentials, ...(json === undefined ? {} : { 'content-type': 'application/json' }) });
    new Headers(headers ?? {}).forEach((value, name) => all.set(name, value));
    const body = json === undefined ? {} : { body: JSON.stringify(json) };
    const answer = await service.fetch(path, { ...rest, ...body, headers: all }).catch(rethrowWith(REQUEST_ERRORS));
    return accept(answer, `${init.method ?? 'GET'} ${redact(withoutQuery(path))}`, is_not_accepted_on_500);
  }

  async function accept(answer: Response, about: string, nothing_taken_on_500 = false): Promise<Response> {
    if (answer.ok) return answer;
    const text = await answer.text().catch(rethrowWith(REQUEST_ERRORS));
    throw toUpstreamError({ answer, text, about, redact, explain: mapError, nothing_taken_on_500 });
  }

  return {
    request,
    async requestVoid(path, init) {
      const answer = await request(path, init);
      await answer.body?.cancel();
    },
    async requestUrl(url, { with_credentials, headers, ...init }) {
      const all = { ...(with_credentials ? credentials : {}), ...headers };
      const answer = await service.send(url, { ...init, headers: all }).catch(rethrowWith(REQUEST_ERRORS));
      return accept(answer, `${init.method ?? 'POST'} ${redact(withoutQuery(url))}`);
    },
    async requestJson(path, init) {
      const answer = await request(path, init);
      const text = await answer.text().catch(rethrowWith(REQUEST_ERRORS));
      try {
        return JSON.parse(text);
      } catch {
        const cause = new Error(`Not JSON: ${redact(text)}`);
        throw new ResponseLostError('The answer of the engine can’t be understood.', { cause });
      }
    },
    async download(url, file, limits) {
      await rm(file, { force: true });
      await service.download(url, file, { ...limits, headers: credentials }).catch(rethrowWith(DOWNLOAD_ERRORS));
    },
    listen: (path, listening, read) =>
      service.listen(path, { ...listening, headers: { ...credentials, ...listening.headers } }, read),
    redact: redact,
  };
}

/** A query may hold a signature. */
const withoutQuery = (path: string | URL): string => String(path).replace(/[?#].*$/s, '');

/** Whether an error of the port is about something that is not there, or not any more. */
export function isNotFoundError(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  const known = cause instanceof UpstreamStatusError || cause instanceof OutboundError;
  return known && (cause.status_code === 404 || cause.status_code === 410);
}

type ErrorTable = Record<OutboundError['code'], (error: OutboundError) => Error>;

/** The transport's errors as the port's; others, the signal's reason among them, stay. */
const rethrowWith =
  (table: ErrorTable) =>
  (error: unknown): never => {
    throw error instanceof OutboundError ? table[error.code](error) : error;
  };

const busyError = (cause: OutboundError): Error => new UpstreamBusyError('The engine can’t be reached.', { cause });
const responseLostError = (cause: OutboundError): Error =>
  new ResponseLostError('The answer of the engine was lost.', { cause });
const unusableResultError = (cause: OutboundError): Error =>
  new EngineError('engine_failed', `The result can’t be fetched: ${cause.message}`, { cause });

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

/** An output that can't be fetched now is made all the same. */
const DOWNLOAD_ERRORS = {
  ...REQUEST_ERRORS,
  not_connected: responseLostError,
  unknown_host: responseLostError,
  resolver_failed: responseLostError,
  too_many_redirects: unusableResultError,
} as const satisfies ErrorTable;
