import type { LookupFunction } from 'node:net';
import { type SecureContext, createSecureContext, getCACertificates } from 'node:tls';
import { callbackify } from 'node:util';
import { Agent, buildConnector } from 'undici';
import { abortable } from '../abortable.ts';
import type { AddressRules } from './address-rules.ts';
import { OutboundError } from './outbound-error.ts';
import { resolveHost, type HostAddress, type Resolver } from './resolve-host.ts';

export interface Guard {
  rules: AddressRules;
  resolver: Resolver;
  /** A certificate authority to trust beside the usual, PEM. */
  ca: string | undefined;
  /** null: any. */
  ports: readonly number[] | null;
  connect_timeout_ms: number;
  /** undici lets a request wait for its connection however long ago it was aborted; this ends the connecting too. */
  signal: AbortSignal;
}

/**
 * A dispatcher that judges every connection when it is made: protocol, port, literal host or all addresses of the name.
 * It connects to the very addresses that were judged, and looks again at where it arrived. Destroy it after use.
 */
export function createSafeAgent(guard: Guard): Agent {
  return new Agent({
    allowH2: false,
    connections: 1,
    maxHeaderSize: 16_384,
    connect: (options, callback) => {
      callbackify(() => unlessAborted(open(guard, options), guard.signal))((error, socket) => {
        if (socket) callback(null, socket);
        else callback(error ?? refused(), null);
      });
    },
  });
}

const contexts = new Map<string | undefined, SecureContext>();

/** Made once: to read a hundred certificates takes longer than all else about a connection. */
function contextFor(ca: string | undefined): SecureContext {
  const known = contexts.get(ca);
  if (known) return known;
  const made = createSecureContext(ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] });
  contexts.set(ca, made);
  return made;
}

type Socket = NonNullable<Parameters<buildConnector.Callback>[1]>;

async function open(guard: Guard, options: buildConnector.Options): Promise<Socket> {
  const port = Number(options.port || 443);
  if (options.protocol !== 'https:' || (guard.ports !== null && !guard.ports.includes(port))) throw refused();
  const addresses = await resolveHost(options.hostname, guard.rules, guard.resolver);
  const connector = buildConnector({
    allowH2: false,
    maxCachedSessions: 0,
    timeout: guard.connect_timeout_ms,
    lookup: lookupOf(addresses),
    secureContext: contextFor(guard.ca),
  });
  const socket = await new Promise<Socket>((resolve, reject) => {
    connector(options, (error, opened) => (opened ? resolve(opened) : reject(error ?? refused())));
  });
  if (guard.rules.allows(socket.remoteAddress ?? '')) return socket;
  socket.destroy();
  throw refused();
}

async function unlessAborted(opening: Promise<Socket>, signal: AbortSignal): Promise<Socket> {
  try {
    return await abortable(opening, signal);
  } catch (error) {
    opening.then((socket) => socket.destroy()).catch(() => undefined);
    throw error;
  }
}

const refused = (): OutboundError =>
  new OutboundError('blocked', 'The address leads to a private or local network, which is not allowed.');

export const lookupOf =
  (addresses: readonly HostAddress[]): LookupFunction =>
  (_hostname, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, [...addresses]);
    else if (first) callback(null, first.address, first.family);
  };
