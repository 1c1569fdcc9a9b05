import { trimEnd } from '#contract/trim-end.ts';
import { getCACertificates } from 'node:tls';
import { callbackify } from 'node:util';
import { Agent, type BodyInit, FormData as TransportForm, buildConnector, fetch as transportFetch } from 'undici';
import type { AddressRules } from './address-rules.ts';
import { OutboundError, timeoutError, toOutboundError } from './outbound-error.ts';
import { createLookup } from './safe-agent.ts';
import { type Resolver, resolveHost } from './resolve-host.ts';
import { tooLargeError } from './save-body.ts';

export interface ServiceRequest extends Omit<RequestInit, 'redirect'> {
  /** For everything, including the body of the response: 60 s by default. */
  timeoutMs?: number | undefined;
  /** 16 MB by default. */
  maxResponseBytes?: number | undefined;
}

/**
 * A `fetch` for one origin without redirects. Each request has its own connection, so that none is lost on one that the
 * server just closed; files are streamed from disk. @param input a URL, or a path below the base URL
 * @throws {OutboundError} `blocked`, `not_connected`, `unreachable`, `timeout`, `too_large`; the signal's reason
 */
export type ServiceFetch = (input: string | URL, init?: ServiceRequest) => Promise<Response>;

/** For services that the operator configured. */
export const ALLOW_ALL: AddressRules = { allows: () => true };
const CONNECT_TIMEOUT_MS = 10_000;
const TIMEOUT_MS = 60_000;
const MAX_RESPONSE_BYTES = 16 * 1_048_576;
const MAX_MESSAGE_BYTES = 1_048_576;
/** These headers no longer apply: the body is already decoded. */
const TRANSPORT_HEADERS = ['content-encoding', 'transfer-encoding', 'connection', 'keep-alive'];

export interface ServiceTarget {
  base: URL;
  resolver: Resolver;
  ca: string | undefined;
  rules: AddressRules;
}

export function createServiceFetch(target: ServiceTarget): ServiceFetch {
  return async (input, init = {}) => {
    const { timeoutMs = TIMEOUT_MS, maxResponseBytes = MAX_RESPONSE_BYTES, signal: caller, body, ...rest } = init;
    const url = resolveServiceUrl(target.base, input);
    const deadline = AbortSignal.timeout(timeoutMs);
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
    const toRequestError = (error: unknown): unknown => {
      if (caller?.aborted) return caller.reason;
      const cause = causeOf(error);
      if (cause instanceof OutboundError && cause.code === 'blocked') return cause;
      if (!connected) return notConnectedError(error);
      return deadline.aborted ? timeoutError(error) : toOutboundError(cause);
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
      const responseHeaders = [...response.headers].filter(([name]) => !TRANSPORT_HEADERS.includes(name));
      const about = { status: response.status, statusText: response.statusText, headers: responseHeaders };
      if (!response.body) end();
      const read = response.body && limitBody(response.body, { maxResponseBytes, toRequestError, end });
      return new Response(read, about);
    } catch (error) {
      end();
      throw toRequestError(error);
    }
  };
}

/** Anything but a path stays as it is. */
export const joinBaseUrl = (base: URL, text: string): string =>
  text === '' || text.startsWith('/') ? trimEnd(base.href, '/') + text : text;

/** @throws {OutboundError} `blocked` for another origin */
export function resolveServiceUrl(base: URL, input: string | URL): URL {
  const text = joinBaseUrl(base, String(input));
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.origin === base.origin && !url.username && !url.password) return url;
  throw new OutboundError('blocked', 'The URL does not belong to the configured service.');
}

/** The deadline of the request limits the connection. */
const ONE_CONNECTION = { connections: 1, headersTimeout: 0, bodyTimeout: 0 };

export function createServiceAgent(
  target: ServiceTarget,
  onConnect: (socket: Socket) => void,
  limits: Pick<Agent.Options, 'connections' | 'headersTimeout' | 'bodyTimeout' | 'keepAliveTimeout'> = ONE_CONNECTION,
): Agent {
  return new Agent({
    ...limits,
    allowH2: false,
    webSocket: { maxPayloadSize: MAX_MESSAGE_BYTES },
    connect: (options, callback) => {
      callbackify(async () => {
        const socket = await openSocket(options, target);
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

async function openSocket(options: buildConnector.Options, { resolver, ca, rules }: ServiceTarget): Promise<Socket> {
  const connector = buildConnector({
    allowH2: false,
    maxCachedSessions: 0,
    timeout: CONNECT_TIMEOUT_MS,
    lookup: createLookup(await resolveHost(options.hostname, rules, resolver)),
    ...(ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] }),
  });
  return new Promise<Socket>((resolve, reject) => {
    connector(options, (error, socket) => (socket ? resolve(socket) : reject(error ?? notConnectedError(null))));
  });
}

/** undici accepts its own body types, not those of the platform. */
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
  maxResponseBytes: number;
  toRequestError(error: unknown): unknown;
  end(): void;
}

function limitBody(body: AsyncIterable<Uint8Array>, reading: BodyReading): ReadableStream<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  let readBytes = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next = await chunks.next();
          readBytes += next.value?.byteLength ?? 0;
          if (readBytes > reading.maxResponseBytes) throw tooLargeError(reading.maxResponseBytes);
          if (next.value) return controller.enqueue(next.value);
          reading.end();
          controller.close();
        } catch (error) {
          reading.end();
          throw error instanceof OutboundError ? error : reading.toRequestError(error);
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
