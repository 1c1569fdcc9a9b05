import type { LookupFunction } from 'node:net';
import { type SecureContext, createSecureContext, getCACertificates } from 'node:tls';
import { callbackify } from 'node:util';
import { Agent, buildConnector } from 'undici';
import { abortOnSignal } from '#server/platform/core/process/abort-on-signal.ts';
import type { AddressRules } from './address-rules.ts';
import { OutboundError } from './outbound-error.ts';
import { resolveHost, type HostAddress, type Resolver } from './resolve-host.ts';

export interface SafeAgentOptions {
  rules: AddressRules;
  resolver: Resolver;
  /** An additional certificate authority, PEM. */
  ca: string | undefined;
  /** null allows any port. */
  ports: readonly number[] | null;
  connectTimeoutMs: number;
  /** undici lets an aborted request wait for its connection; this signal stops the connecting too. */
  signal: AbortSignal;
}

/**
 * Validates protocol, port and all addresses of the name of every connection, connects to exactly those, and checks the
 * remote address again. Destroy it after use.
 */
export function createSafeAgent(guard: SafeAgentOptions): Agent {
  return new Agent({
    allowH2: false,
    connections: 1,
    maxHeaderSize: 16_384,
    connect: (options, callback) => {
      callbackify(() => closeIfAborted(openSocket(guard, options), guard.signal))((error, socket) => {
        if (socket) callback(null, socket);
        else callback(error ?? blockedError(), null);
      });
    },
  });
}

const contexts = new Map<string | undefined, SecureContext>();

/** Cached: reading a hundred certificates takes longer than anything else about a connection. */
function secureContextFor(ca: string | undefined): SecureContext {
  const cached = contexts.get(ca);
  if (cached) return cached;
  const context = createSecureContext(ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] });
  contexts.set(ca, context);
  return context;
}

type Socket = NonNullable<Parameters<buildConnector.Callback>[1]>;

async function openSocket(guard: SafeAgentOptions, options: buildConnector.Options): Promise<Socket> {
  const port = Number(options.port || 443);
  if (options.protocol !== 'https:' || (guard.ports !== null && !guard.ports.includes(port))) throw blockedError();
  const addresses = await resolveHost(options.hostname, guard.rules, guard.resolver);
  const connector = buildConnector({
    allowH2: false,
    maxCachedSessions: 0,
    timeout: guard.connectTimeoutMs,
    lookup: createLookup(addresses),
    secureContext: secureContextFor(guard.ca),
  });
  const socket = await new Promise<Socket>((resolve, reject) => {
    connector(options, (error, opened) => (opened ? resolve(opened) : reject(error ?? blockedError())));
  });
  if (guard.rules.allows(socket.remoteAddress ?? '')) return socket;
  socket.destroy();
  throw blockedError();
}

async function closeIfAborted(opening: Promise<Socket>, signal: AbortSignal): Promise<Socket> {
  try {
    return await abortOnSignal(opening, signal);
  } catch (error) {
    opening.then((socket) => socket.destroy()).catch(() => undefined);
    throw error;
  }
}

const blockedError = (): OutboundError =>
  new OutboundError('blocked', 'The URL leads to a private or local network, which is not allowed.');

export const createLookup =
  (addresses: readonly HostAddress[]): LookupFunction =>
  (_hostname, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, [...addresses]);
    else if (first) callback(null, first.address, first.family);
  };
