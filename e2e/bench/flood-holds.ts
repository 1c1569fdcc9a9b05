import { Worker } from 'node:worker_threads';
import { type Service, startService } from '../support/service.ts';
import {
  createKey,
  fillWithLongPrompts,
  type FloodCost,
  floodLists,
  inParallel,
  measureFlood,
  listRequest,
  openUnreadConnections,
  PROBING_KEYS,
} from './floods.ts';
import type { ProberOptions } from './prober.ts';

const ROUNDS = 2;
const QUIET_MS = 3_000;
const BODY_CHARACTERS = 16_000_000;
const IMAGES = { model: 'imgmodel-a-2', prompt: 'A lighthouse', size: '3840x2160', n: 4, response_format: 'b64_json' };
const unlimited = { PUBLIC_RATE_LIMIT_PER_MINUTE: '1000000', RATE_LIMIT_PER_MINUTE: '1000000' };

/**
 * Measures the response time of `GET /v1/me` for others, and the memory, while one caller makes the service hold as much
 * as it can: answers in base64, read and unread, long names, large bodies and lists, alone and all at once.
 */
export async function measureHolds(): Promise<FloodCost[]> {
  const service = await startService(unlimited);
  try {
    const key = await createKey(service);
    const keys = await Promise.all(Array.from({ length: PROBING_KEYS }, () => createKey(service)));
    await fillWithLongPrompts(service);
    const length = (await orderImages(service, key, '0')).length;
    const floods: Record<string, () => Promise<unknown>> = {
      '15 answers in base64': () => readImages(service, key, length),
      '12 long names': () => sendBodies(service, key, 12, () => ({ [text()]: 1 })),
      '40 long prompts': () => sendBodies(service, key, 40, () => ({ prompt: text() })),
      '40 large files': () => sendBodies(service, key, 40, () => ({ image_urls: [`data:image/png;base64,${text()}`] })),
      'lists of long prompts': () => floodLists(service, key),
      '60 unread lists': () => openUnreadConnections(service, 60, listRequest(service, key)),
    };
    const all = () => Promise.all(Object.values(floods).map((flood) => flood()));
    const workerData: ProberOptions = { url: service.url, keys };
    await using prober = new Worker(new URL('prober.ts', import.meta.url), { workerData });
    const measured: FloodCost[] = [];
    for (const [name, flood] of Object.entries({ 'all at once': all, ...floods }))
      measured.push(await measureFlood(prober, name, flood, { rounds: ROUNDS, quietMs: QUIET_MS }));
    return measured;
  } finally {
    await service.stop();
  }
}

const text = (): string => 'A'.repeat(BODY_CHARACTERS);

async function orderImages(service: Service, key: string, retries: string): Promise<string> {
  const answer = await fetch(`${service.url}/compat/openai/v1/images/generations`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'x-stainless-retry-count': retries,
    },
    body: JSON.stringify(IMAGES),
  });
  const body = await answer.text();
  if (answer.status !== 200) throw new Error(`${answer.status} ${body.slice(0, 200)}`);
  return body;
}

/** A repeated request gets the order that is paid already. */
async function readImages(service: Service, key: string, length: number): Promise<void> {
  await inParallel(15, 1, async () => {
    const body = await orderImages(service, key, '1');
    if (body.length !== length) throw new Error(`An answer has ${body.length} characters instead of ${length}.`);
  });
}

async function sendBodies(service: Service, key: string, count: number, build: () => object): Promise<void> {
  await inParallel(count, 1, async () => {
    const answer = await fetch(`${service.url}/compat/fal/queue/emulsion/imgmodel-a-2`, {
      method: 'POST',
      headers: { authorization: `Key ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(build()),
    }).catch(() => null);
    // The connection of a body that is refused early may end before all of it is sent.
    if (answer && (answer.status < 400 || answer.status >= 500)) throw new Error(`${answer.status}`);
    await answer?.text();
  });
}
