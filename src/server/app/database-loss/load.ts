import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Generation } from '#contract/resources/generation.ts';
import type { ServiceProcess } from '#server/app/testing/service-process.ts';

/** Requests of several clients against several processes, and every response that a client should not get. */
export interface Load {
  /** Generations that were acknowledged. */
  created: readonly string[];
  /** Responses that are neither a success nor 503 with `Retry-After`, and requests without a response. */
  problems: readonly string[];
  /** Times of successful creates, in milliseconds. */
  lastCreateMs(service: ServiceProcess): number;
  longestMs(): number;
  stop(): Promise<void>;
}

const ORDER = { task: 'image.create', model: 'imgmodel-b-2', input: { prompt: 'a lighthouse at dusk' } };
const PAUSE_MS = 400;
const READS = [
  '/v1/generations?limit=20',
  '/v1/me',
  '/v1/billing/summary',
  '/v1/media?limit=5',
  '/v1/billing/ledger.csv',
];

/** Starts one client that creates and one that reads per service. A create is repeated until it succeeds. */
export function startLoad(services: readonly ServiceProcess[]): Load {
  const created: string[] = [];
  const problems: string[] = [];
  const lastCreate = new Map<ServiceProcess, number>();
  const stopping = new AbortController();
  let longestMs = 0;

  async function send(service: ServiceProcess, path: string, init: RequestInit = {}): Promise<Response | null> {
    const fromMs = performance.now();
    const headers = { authorization: `Bearer ${service.key}`, ...init.headers };
    try {
      const response = await fetch(service.url(path), { ...init, headers });
      longestMs = Math.max(longestMs, performance.now() - fromMs);
      const isUnavailable = response.status === 503 && /^\d+$/.test(response.headers.get('retry-after') ?? '');
      if (!response.ok && !isUnavailable) problems.push(`${path}: ${response.status} ${await response.text()}`);
      return response;
    } catch (error) {
      problems.push(`${path}: ${String(error)} ${error instanceof Error ? String(error.cause) : ''}`);
      return null;
    }
  }

  async function create(service: ServiceProcess): Promise<void> {
    const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
    for (;;) {
      const response = await send(service, '/v1/generations', { method: 'POST', headers, body: JSON.stringify(ORDER) });
      if (response?.status === 201) {
        created.push(((await response.json()) as Generation).id);
        lastCreate.set(service, Date.now());
      }
      if (response?.ok || stopping.signal.aborted) return;
      if (response && !response.bodyUsed) await response.body?.cancel();
      await sleep(PAUSE_MS);
    }
  }

  /** An export that began before the database was lost is cut off, which its reader notices. */
  async function read(service: ServiceProcess, path: string): Promise<void> {
    const response = await send(service, path);
    await response?.text().catch(() => undefined);
  }

  const clients = services.flatMap((service) => [
    (async () => {
      for (; !stopping.signal.aborted; await sleep(PAUSE_MS)) await create(service);
    })(),
    (async () => {
      for (let turn = 0; !stopping.signal.aborted; turn += 1, await sleep(PAUSE_MS))
        await read(service, READS[turn % READS.length] ?? '');
    })(),
  ]);
  return {
    created,
    problems,
    lastCreateMs: (service) => lastCreate.get(service) ?? 0,
    longestMs: () => longestMs,
    async stop() {
      stopping.abort();
      await Promise.all(clients);
    },
  };
}
