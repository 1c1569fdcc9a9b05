import { rm } from 'node:fs/promises';
import { OutboundError } from '../net/outbound-error.ts';
import type { Service, ServiceSend } from '../net/service.ts';
import type { ServiceRequest } from '../net/service-fetch.ts';
import type { ServiceListen } from '../net/service-listen.ts';
import { EngineError } from './engine.ts';
import { AnsweredWith, type Refusal, answerError } from './upstream-answers.ts';
import { createRedaction } from './redact.ts';
import { AnswerLost, UpstreamBusy } from './upstream.ts';

export interface UpstreamRequest extends ServiceRequest {
  /** Sent as JSON. */
  json?: unknown;
  /** A 500 says that nothing was taken, because the answer itself would have been the result. */
  nothing_taken_on_500?: boolean | undefined;
}

export interface UpstreamSend extends ServiceSend {
  with_credentials: boolean;
}

export interface SaveLimits {
  max_bytes: number;
  timeout_ms: number;
  signal: AbortSignal;
}

/** Speaks HTTP with an upstream in the errors of the port. All of them, and their causes, are fit for a log. */
export interface UpstreamHttp {
  /**
   * Like `fetch`, so that it can be given to a client library, with the credentials added. Resolves for 2xx alone.
   * @throws {EngineError} {UpstreamBusy} {AnswerLost}; the signal's reason when aborted
   */
  request(this: void, path: string | URL, init?: UpstreamRequest): Promise<Response>;
  /** Like `request`, where nothing of the answer matters but that it is 2xx. */
  tell(this: void, path: string | URL, init?: UpstreamRequest): Promise<void>;
  /**
   * Like `request`, to an address that the upstream names, on its own origin or on the internet. Credentials go along
   * only where `with_credentials` says so.
   */
  send(this: void, url: string, init: UpstreamSend): Promise<Response>;
  /** The JSON of an answer. @throws like `request`; {AnswerLost} where it is none */
  json(this: void, path: string | URL, init?: UpstreamRequest): Promise<unknown>;
  /**
   * Saves an output in place of what stands there.
   * @param url or a path below the base URL
   * @throws {EngineError} where it can't be had at all; {AnswerLost} where it may be had later
   */
  save(this: void, url: string, file: string, limits: SaveLimits): Promise<void>;
  /** Listens to a websocket, with the credentials added. @throws the signal's reason when aborted */
  listen: ServiceListen;
  /** The upstream's words as a person may read them: one line, not long, without secrets. */
  clean(this: void, text: string): string;
}

export interface UpstreamHttpOptions {
  service: Service;
  /** null: the upstream takes none. Never in an error. */
  api_key: string | null;
  /** Credentials and what else goes with each request to the service. */
  headers?: (api_key: string) => Readonly<Record<string, string>>;
  /** What an answer that is not 2xx means, where the upstream says more than the status; null where it does not. */
  explain?: (refusal: Refusal) => Error | null;
}

const bearer = (api_key: string): Record<string, string> => ({ authorization: `Bearer ${api_key}` });

/** @throws {TypeError} for a key that can't stand in a header; it doesn't show it */
export function createUpstreamHttp(options: UpstreamHttpOptions): UpstreamHttp {
  const { service, api_key, explain = () => null } = options;
  if (api_key !== null && !/^[\x21-\x7e]+$/.test(api_key)) {
    throw new TypeError('An API key must consist of printable characters without blanks.');
  }
  const credentials = api_key === null ? {} : (options.headers ?? bearer)(api_key);
  const redact = createRedaction(api_key === null ? [] : [api_key, ...Object.values(credentials)]);

  async function request(path: string | URL, init: UpstreamRequest = {}): Promise<Response> {
    const { json, nothing_taken_on_500 = false, headers, ...rest } = init;
    const all = new Headers({ ...credentials, ...(json === undefined ? {} : { 'content-type': 'application/json' }) });
    new Headers(headers ?? {}).forEach((value, name) => all.set(name, value));
    const body = json === undefined ? {} : { body: JSON.stringify(json) };
    const answer = await service.fetch(path, { ...rest, ...body, headers: all }).catch(rethrowBy(ASKED));
    return accept(answer, `${init.method ?? 'GET'} ${redact(withoutQuery(path))}`, nothing_taken_on_500);
  }

  async function accept(answer: Response, about: string, nothing_taken_on_500 = false): Promise<Response> {
    if (answer.ok) return answer;
    const text = await answer.text().catch(rethrowBy(ASKED));
    throw answerError({ answer, text, about, redact, explain, nothing_taken_on_500 });
  }

  return {
    request,
    async tell(path, init) {
      const answer = await request(path, init);
      await answer.body?.cancel();
    },
    async send(url, { with_credentials, headers, ...init }) {
      const all = { ...(with_credentials ? credentials : {}), ...headers };
      const answer = await service.send(url, { ...init, headers: all }).catch(rethrowBy(ASKED));
      return accept(answer, `${init.method ?? 'POST'} ${redact(withoutQuery(url))}`);
    },
    async json(path, init) {
      const answer = await request(path, init);
      const text = await answer.text().catch(rethrowBy(ASKED));
      try {
        return JSON.parse(text);
      } catch {
        const cause = new Error(`Not JSON: ${redact(text)}`);
        throw new AnswerLost('The answer of the engine can’t be understood.', { cause });
      }
    },
    async save(url, file, limits) {
      await rm(file, { force: true });
      await service.download(url, file, { ...limits, headers: credentials }).catch(rethrowBy(SAVED));
    },
    listen: (path, listening, read) =>
      service.listen(path, { ...listening, headers: { ...credentials, ...listening.headers } }, read),
    clean: redact,
  };
}

/** A query may hold a signature. */
const withoutQuery = (path: string | URL): string => String(path).replace(/[?#].*$/s, '');

/** Whether an error of the port is about something that is not there, or not any more. */
export function isGone(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  const known = cause instanceof AnsweredWith || cause instanceof OutboundError;
  return known && (cause.status_code === 404 || cause.status_code === 410);
}

type Table = Record<OutboundError['code'], (error: OutboundError) => Error>;

/** The transport's errors as the port's; others, the signal's reason among them, stay. */
const rethrowBy =
  (table: Table) =>
  (error: unknown): never => {
    throw error instanceof OutboundError ? table[error.code](error) : error;
  };

const notTaken = (cause: OutboundError): Error => new UpstreamBusy('The engine can’t be reached.', { cause });
const lost = (cause: OutboundError): Error => new AnswerLost('The answer of the engine was lost.', { cause });
const unusable = (cause: OutboundError): Error =>
  new EngineError('engine_failed', `The result can’t be fetched: ${cause.message}`, { cause });

const ASKED = {
  not_connected: notTaken,
  unknown_host: notTaken,
  resolver_failed: notTaken,
  unreachable: lost,
  timeout: lost,
  bad_status: lost,
  too_many_redirects: lost,
  blocked: unusable,
  invalid_url: unusable,
  too_large: unusable,
} as const satisfies Table;

/** An output that can't be fetched now is made all the same. */
const SAVED = {
  ...ASKED,
  not_connected: lost,
  unknown_host: lost,
  resolver_failed: lost,
  too_many_redirects: unusable,
} as const satisfies Table;
