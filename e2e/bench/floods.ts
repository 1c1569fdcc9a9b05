import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { ApiKeyCreated } from '#contract/resources/api-key.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { type Service, startService } from '../support/service.ts';
import { memoryGrowth, servicePid } from './memory.ts';
import type { ProberOptions } from './prober.ts';

export interface FloodCost {
  name: string;
  quietP95Ms: number;
  p95Ms: number;
  grownMib: number;
}

/** Quiet and flooded rounds alternate, so that other load on the machine affects both. */
const ROUNDS = 6;
const QUIET_MS = 2_000;
/** Rate limits count per key, and the probes must stay below theirs. */
export const PROBING_KEYS = 12;
const LONG_PROMPTS = 200;

/**
 * Measures the response time of `GET /v1/me` for others, and the memory, while one caller floods the service at its
 * limits.
 */
export async function measureFloods(): Promise<FloodCost[]> {
  const service = await startService();
  try {
    const flooding = await createKey(service);
    const keys = await Promise.all(Array.from({ length: PROBING_KEYS }, () => createKey(service)));
    await fillWithLongPrompts(service);
    const workerData: ProberOptions = { url: service.url, keys };
    await using prober = new Worker(new URL('prober.ts', import.meta.url), { workerData });
    const measured: FloodCost[] = [];
    for (const [name, flood] of [
      ['estimates of unknown keys', () => floodEstimates(service)],
      ['90 clients that do not read', () => openUnreadConnections(service, 90, estimateRequest(service, 250_000))],
      ['lists of long prompts', () => floodLists(service, flooding)],
      ['24 unread lists', () => openUnreadConnections(service, 24, listRequest(service, flooding))],
    ] as const) {
      measured.push(await measureFlood(prober, name, flood, { rounds: ROUNDS, quietMs: QUIET_MS }));
    }
    return measured;
  } finally {
    await service.stop();
  }
}

/** Measures in rounds without and with a flood. */
export async function measureFlood(
  prober: Worker,
  name: string,
  flood: () => Promise<unknown>,
  { rounds, quietMs }: { rounds: number; quietMs: number },
): Promise<FloodCost> {
  const [quiet, flooded]: [number[], number[]] = [[], []];
  const grownMib = await memoryGrowth(await servicePid(), async () => {
    for (let round = 0; round < rounds; round += 1) {
      quiet.push(...(await probe(prober, sleep(quietMs))));
      flooded.push(...(await probe(prober, flood())));
    }
  });
  return { name, quietP95Ms: p95(quiet), p95Ms: p95(flooded), grownMib };
}

const json = (key: string) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' });

export async function createKey(service: Service): Promise<string> {
  const body = JSON.stringify({ name: 'bench', kind: 'member' });
  const answer = await fetch(`${service.url}/v1/api-keys`, { method: 'POST', headers: json(service.key), body });
  return ((await answer.json()) as ApiKeyCreated).key;
}

export async function probe(prober: Worker, work: Promise<unknown>): Promise<number[]> {
  await readTimes(prober);
  await work;
  return readTimes(prober);
}

export function p95(timesMs: readonly number[]): number {
  const sorted = timesMs.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;
}

async function readTimes(prober: Worker): Promise<number[]> {
  prober.postMessage('times', []);
  const [times] = (await once(prober, 'message')) as [number[]];
  return times;
}

const unknownKeys = (bytes: number): string => {
  const keys = Array.from({ length: Math.floor(bytes / 9) }, (_, at) => `"${at.toString(36).padStart(4, '0')}":1`);
  return `{"task":"image.create","model":"imgmodel-a-2","input":{${keys.join(',')}}}`;
};

/** Keeps the flood going: together, the callers still send several times the rate limit. */
const PAUSE_MS = 100;

export async function inParallel(
  atOnce: number,
  rounds: number,
  send: (round: number) => Promise<unknown>,
): Promise<void> {
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let round = 0; round < rounds; round += 1) {
        await send(round);
        await sleep(PAUSE_MS);
      }
    }),
  );
}

async function floodEstimates(service: Service): Promise<void> {
  const bodies = [unknownKeys(1_000_000), unknownKeys(250_000)];
  await inParallel(6, 16, async (round) => {
    const body = bodies[round % bodies.length] ?? '';
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${service.url}/v1/estimate`, { method: 'POST', headers, body });
    const text = await answer.text();
    if (answer.status < 400 || text.length > 10_000) throw new Error(`${answer.status}, ${text.length} characters`);
  });
}

export async function fillWithLongPrompts(service: Service): Promise<void> {
  const input = { prompt: 'A lighthouse at dusk. '.repeat(45_000), duration_seconds: 4 };
  const body = JSON.stringify({ task: 'video.create', model: 'omni-video', input });
  await inParallel(4, LONG_PROMPTS / 4, async () => {
    const answer = await fetch(`${service.url}/v1/generations`, { method: 'POST', headers: json(service.key), body });
    const { id } = (await answer.json()) as Generation;
    const canceled = await fetch(`${service.url}/v1/generations/${id}/cancel`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}` },
    });
    if (!canceled.ok) throw new Error(`a generation could not be canceled: ${canceled.status}`);
  });
}

export async function floodLists(service: Service, key: string): Promise<void> {
  await inParallel(8, 6, async (round) => {
    const url = `${service.url}/v1/generations?limit=200${round % 2 ? '&q=zzz' : ''}`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    await answer.text();
  });
}

const head = (service: Service, lines: readonly string[]): string =>
  [...lines, `Host: ${new URL(service.url).host}`, '', ''].join('\r\n');

function estimateRequest(service: Service, bytes: number): string {
  const body = unknownKeys(bytes);
  const lines = ['POST /v1/estimate HTTP/1.1', 'Content-Type: application/json', `Content-Length: ${body.length}`];
  return head(service, lines) + body;
}

export const listRequest = (service: Service, key: string): string =>
  head(service, ['GET /v1/generations?limit=200 HTTP/1.1', `Authorization: Bearer ${key}`]);

const UNREAD_MS = 2_000;

/** Opens connections that repeat a request and never read the responses. */
export async function openUnreadConnections(service: Service, count: number, request: string): Promise<void> {
  const { port } = new URL(service.url);
  const clients = Array.from({ length: count }, () => {
    const client = connect(Number(port), 'localhost').pause();
    client.on('error', () => undefined);
    client.write(request);
    return client;
  });
  await sleep(UNREAD_MS);
  for (const client of clients) client.destroy();
}
