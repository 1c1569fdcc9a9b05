import type { FastifyReply, FastifyRequest } from 'fastify';
import { setTimeout as sleep } from 'node:timers/promises';

const LINGER_MS = 2_000;

/**
 * Answers a request whose body was not read to its end, and closes the connection. A connection closed at once, with
 * input still on its way, is reset, and most clients then never see the answer: so the rest is thrown away for a while,
 * and the last byte of the answer keeps the connection until then.
 */
export async function drainAndReply(request: FastifyRequest, reply: FastifyReply, body: string): Promise<FastifyReply> {
  const { raw } = reply;
  const bytes = Buffer.from(body);
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
  raw.setHeader('content-length', bytes.length);
  raw.setHeader('connection', 'close');
  raw.writeHead(reply.statusCode);
  raw.write(bytes);
  const incoming = request.raw;
  const over = new AbortController();
  const stop = () => over.abort();
  incoming.on('end', stop).on('close', stop).on('error', stop);
  incoming.resume();
  if (!incoming.destroyed) await sleep(LINGER_MS, null, { signal: over.signal }).catch(stop);
  raw.end();
  return reply;
}
