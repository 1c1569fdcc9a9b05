import { setTimeout as sleep } from 'node:timers/promises';
import type { Generation } from '#contract/resources/generation.ts';
import { STRUCTURE_BOMBS } from '#server/platform/media/testing/structure-bomb-fixture.ts';
import { type Service, startService } from '../support/service.ts';
import { median } from './load.ts';

const ROUNDS = 4;
const GENERATIONS_PER_ROUND = 4;
/** As many as one address may have open. */
const CHECKS = 3;
/** Just below the limit, so that the library reads them all: the slowest file that is checked. */
const BOXES = 19_900;

/**
 * Measures the time of a generation alone, and while somebody without a key checks slow files at the limits. Quiet and
 * flooded rounds alternate, so that other load on the machine affects both.
 */
export async function measureCheckFlood(): Promise<{ quietMs: number; floodedMs: number }> {
  const service = await startService({ RATE_LIMIT_PER_MINUTE: '1000000' });
  try {
    await generate(service);
    const [quietMs, floodedMs]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      await generateInto(quietMs, service);
      const flood = new AbortController();
      const checks = Promise.all(Array.from({ length: CHECKS }, () => checkUntil(service, flood.signal)));
      const generations = generateInto(floodedMs, service).finally(() => flood.abort());
      await Promise.all([generations, checks]);
    }
    return { quietMs: median(quietMs), floodedMs: median(floodedMs) };
  } finally {
    await service.stop();
  }
}

async function generateInto(timesMs: number[], service: Service): Promise<void> {
  for (let count = 0; count < GENERATIONS_PER_ROUND; count += 1) {
    const began = performance.now();
    await generate(service);
    timesMs.push(performance.now() - began);
  }
}

async function generate({ url, key }: Service): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'A lighthouse' } });
  const created = await fetch(`${url}/v1/generations`, { method: 'POST', headers, body });
  const { id } = (await created.json()) as Generation;
  for (;;) {
    const response = await fetch(`${url}/v1/generations/${id}`, { headers });
    const { completed_at, status } = (await response.json()) as Generation;
    if (completed_at === null) await sleep(20);
    else if (status === 'succeeded') return;
    else throw new Error(`The generation ${status}.`);
  }
}

async function checkUntil({ url }: Service, signal: AbortSignal): Promise<void> {
  const boxes = STRUCTURE_BOMBS.find(({ name }) => name === 'boxes')?.create(BOXES);
  if (!boxes) throw new Error('There is no file of many boxes.');
  while (!signal.aborted) {
    const body = new FormData();
    body.append('file', new Blob([new Uint8Array(boxes)]), 'boxes.mp4');
    const response = await fetch(`${url}/v1/credentials/verify`, { method: 'POST', body });
    await response.text();
    if (response.status === 429 || response.status === 503) await sleep(500);
    else if (response.status !== 200) throw new Error(`The check was answered with ${response.status}.`);
  }
}
