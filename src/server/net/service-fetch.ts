import { getCACertificates } from 'node:tls';
import { callbackify } from 'node:util';
import { Agent, type BodyInit, FormData as TransportForm, buildConnector, fetch as transportFetch } from 'undici';
import type { AddressRules } from './address-rules.ts';
import { OutboundError, timeoutError, toOutboundError } from './outbound-error.ts';
import { createLookup } from './safe-agent.ts';
import { type Resolver, resolveHost } from './resolve-host.ts';
import { tooLargeError } from './save-body.ts';

export interface ServiceRequest extends Omit<RequestInit, 'redirect'> {
  /** For the whole exchange, the response body included; default 60 s. */
  timeout_ms?: number | undefined;
  /** Limit of the response body; default 16 MB. */
  max_response_bytes?: number | undefined;
}

/**
 * A WHATWG `fetch` for one origin. It follows no redirects and opens a connection for each request, because a request
 * on a connection that the server just closed is lost. A `Blob` of a file, also in a form, is streamed from disk.
 * @param input a URL, or a path below the base URL: `/images/generations`
 * @throws {OutboundError} `blocked` for another origin, `not_connected`, `unreachable`, `timeout`; also
 *   `too_large` while the body is read; the signal's reason when aborted
 */
export type ServiceFetch = (input: string | URL, init?: ServiceRequest) => Promise<Response>;

/** The operator chose the service, so it may be on a private network. */
const ALLOW_ALL: AddressRules = { allows: () => true };
const CONNECT_TIMEOUT_MS = 10_000;
const TIMEOUT_MS = 60_000;
const MAX_RESPONSE_BYTES = 16 * 1_048_576;
const MAX_MESSAGE_BYTES = 1_048_576;
/** Not passed on: undici has already decoded the body. */
const TRANSPORT_HEADERS = ['content-encoding', 'transfer-encoding', 'connection', 'keep-alive'];

export interface ServiceTarget {
  base: URL;
  resolver: Resolver;
  ca: string | undefined;
}

export function createServiceFetch(target: ServiceTarget): ServiceFetch {
  return async (input, init = {}) => {
    const { timeout_ms = TIMEOUT_MS, max_response_bytes = MAX_RESPONSE_BYTES, signal: caller, body, ...rest } = init;
    const url = resolveServiceUrl(target.base, input);
    const deadline = AbortSignal.timeout(timeout_ms);
    const signal = caller ? AbortSignal.any([caller, deadline]) : deadline;
    signal.throwIfAborted();
    let connected = false;
    const agent = createServiceAgent(target, () => {
      connected = true;
    });
    const end = (): void => {
      signal.removeEventListener('abort', end);
      agent.destroy().catch(() => undefined);
    };
    signal.addEventListener('abort', end, { once: true });
    const convertError = (error: unknown): unknown => {
      if (caller?.aborted) return caller.reason;
      if (!connected) return notConnectedError(error);
      return deadline.aborted ? timeoutError(error) : toOutboundError(causeOf(error));
    };
    try {
      const headers = new Headers(rest.headers ?? {});
      if (!headers.has('user-agent')) headers.set('user-agent', 'Emulsion');
      const response = await transportFetch(url, {
        method: rest.method ?? 'GET',
        headers: [...headers],
        redirect: 'manual',
        signal,
        dispatcher: agent,
        ...(body === undefined || body === null ? {} : { body: transportBody(body), duplex: 'half' }),
      });
      const passed_headers = [...response.headers].filter(([name]) => !TRANSPORT_HEADERS.includes(name));
      const metadata = { status: response.status, statusText: response.statusText, headers: passed_headers };
      if (!response.body) end();
      const limited_body = response.body && limitBody(response.body, { max_response_bytes, convertError, end });
      return new Response(limited_body, metadata);
    } catch (error) {
      end();
      throw convertError(error);
    }
  };
}

/** Appends a path to the base URL; returns any other text unchanged. */
export const joinBaseUrl = (base: URL, text: string): string =>
  text === '' || text.startsWith('/') ? base.href.replace(/\/+$/, '') + text : text;

/** @throws {OutboundError} `blocked` for another origin */
export function resolveServiceUrl(base: URL, input: string | URL): URL {
  const text = joinBaseUrl(base, String(input));
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.origin === base.origin && !url.username && !url.password) return url;
  throw new OutboundError('blocked', 'The URL does not belong to the configured service.');
}

/** One connection without timeouts: the caller enforces the deadline. */
const ONE_CONNECTION = { connections: 1, headersTimeout: 0, bodyTimeout: 0 };

/** Creates a dispatcher for connections to the origin. */
export function createServiceAgent(
  { resolver, ca }: ServiceTarget,
  onConnect: (socket: Socket) => void,
  limits: Pick<Agent.Options, 'connections' | 'headersTimeout' | 'bodyTimeout' | 'keepAliveTimeout'> = ONE_CONNECTION,
): Agent {
  return new Agent({
    ...limits,
    allowH2: false,
    webSocket: { maxPayloadSize: MAX_MESSAGE_BYTES },
    connect: (options, callback) => {
      callbackify(async () => {
        const socket = await openSocket(options, resolver, ca);
        onConnect(socket);
        return socket;
      })((error, socket) => {
        if (socket) callback(null, socket);
        else callback(error ?? notConnectedError(null), null);
      });
    },
  });
}

type Socket = NonNullable<Parameters<buildConnector.Callback>[1]>;

async function openSocket(
  options: buildConnector.Options,
  resolver: Resolver,
  ca: string | undefined,
): Promise<Socket> {
  const connector = buildConnector({
    allowH2: false,
    maxCachedSessions: 0,
    timeout: CONNECT_TIMEOUT_MS,
    lookup: createLookup(await resolveHost(options.hostname, ALLOW_ALL, resolver)),
    ...(ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] }),
  });
  return new Promise<Socket>((resolve, reject) => {
    connector(options, (error, socket) => (socket ? resolve(socket) : reject(error ?? notConnectedError(null))));
  });
}

/** Converts a form, because undici does not accept the FormData of the platform. */
function transportBody(body: NonNullable<RequestInit['body']>): BodyInit {
  if (!(body instanceof FormData)) return body as BodyInit;
  const form = new TransportForm();
  for (const [name, value] of body) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, value.name);
  }
  return form;
}

interface BodyReading {
  max_response_bytes: number;
  convertError(error: unknown): unknown;
  end(): void;
}

/** Returns a body that closes its connection at its end, above the limit, on failure and on cancel. */
function limitBody(body: AsyncIterable<Uint8Array>, reading: BodyReading): ReadableStream<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  let read_bytes = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next = await chunks.next();
          read_bytes += next.value?.byteLength ?? 0;
          if (read_bytes > reading.max_response_bytes) throw tooLargeError(reading.max_response_bytes);
          if (next.value) return controller.enqueue(next.value);
          reading.end();
          controller.close();
        } catch (error) {
          reading.end();
          throw error instanceof OutboundError ? error : reading.convertError(error);
        }
      },
      cancel: () => reading.end(),
    },
    { highWaterMark: 0 },
  );
}

const causeOf = (error: unknown): unknown => (error instanceof TypeError && error.cause) || error;

const notConnectedError = (error: unknown): OutboundError =>
  new OutboundError('not_connected', 'The server could not be reached.', { cause: causeOf(error) });
