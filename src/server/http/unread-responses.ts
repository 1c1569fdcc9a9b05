import { Socket } from 'node:net';
import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { networkPrefix } from './rate-limit.ts';

export interface UnreadLimits {
  stallMs: number;
  /** Of one caller: a key, or a network without one. */
  maxCallerCharacters: number;
  /** Of all callers. */
  maxCharacters: number;
}

const MIB = 1024 * 1024;
export const UNREAD_LIMITS: UnreadLimits = {
  stallMs: 60_000,
  maxCallerCharacters: 32 * MIB,
  maxCharacters: 128 * MIB,
};

/** Responses of a caller that are not read yet, oldest first. */
interface UnreadCaller {
  responses: Map<ServerResponse, number>;
  characters: number;
}

/**
 * Closes connections of clients that send requests and do not read the responses: one that reads nothing for
 * `stallMs`, as proxies do, and a caller's oldest ones when its unread responses together exceed its limit. When those
 * of all callers are too many, the caller that holds most loses its oldest one.
 */
export function limitUnreadResponses(app: FastifyInstance, limits: UnreadLimits): void {
  const unread = createUnread(limits);

  // These hooks call back, since promises would be a measurable part of a short request.
  app.addHook('onRequest', ({ raw: { socket } }, { raw }, done) => {
    // Injected requests have no connection.
    if (!(socket instanceof Socket)) return done();
    socket.setTimeout(limits.stallMs);
    // Slow work on a response, or a slow request body, is no stall.
    raw.on('timeout', () => {
      if (socket.writableLength > 0) socket.destroy();
    });
    done();
  });

  app.addHook('onSend', (request, { raw }, payload, done) => {
    // A stream is read only as fast as the client takes it.
    const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload);
    if (isWhole && request.raw.socket instanceof Socket && !raw.destroyed)
      unread.add(callerOf(request), raw, payload.length);
    done(null, payload);
  });
}

const callerOf = ({ caller, ip }: FastifyRequest): string => caller?.key_id ?? networkPrefix(ip);

function createUnread({ maxCallerCharacters, maxCharacters }: UnreadLimits) {
  const callers = new Map<string, UnreadCaller>();
  let total = 0;

  const forget = (name: string, response: ServerResponse): void => {
    const caller = callers.get(name);
    const characters = caller?.responses.get(response);
    if (!caller || characters === undefined) return;
    caller.responses.delete(response);
    caller.characters -= characters;
    total -= characters;
    if (caller.responses.size === 0) callers.delete(name);
  };
  const cutOldest = (name: string): void => {
    const [oldest] = callers.get(name)?.responses.keys() ?? [];
    if (!oldest) return;
    forget(name, oldest);
    oldest.destroy();
  };

  return {
    add(name: string, response: ServerResponse, characters: number): void {
      const caller = callers.get(name) ?? { responses: new Map<ServerResponse, number>(), characters: 0 };
      callers.set(name, caller);
      caller.responses.set(response, characters);
      caller.characters += characters;
      total += characters;
      response.once('close', () => forget(name, response));
      // A single response may exceed the limit: it is never cut for itself, but then it is the only one.
      while (caller.characters > maxCallerCharacters && caller.responses.size > 1) cutOldest(name);
      // oxlint-disable-next-line no-unmodified-loop-condition -- cutting a response lowers the total
      while (total > maxCharacters && callers.size > 1) cutOldest(findLargest(callers));
    },
  };
}

function findLargest(callers: ReadonlyMap<string, UnreadCaller>): string {
  const [first] = [...callers].toSorted(([, a], [, b]) => b.characters - a.characters);
  return first?.[0] ?? '';
}
