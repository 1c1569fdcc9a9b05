import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

export interface ProberOptions {
  url: string;
  /** Used in turn, because rate limits count per key. */
  keys: readonly string[];
}

const EVERY_MS = 20;

// Runs in a thread of its own, so that the flood does not delay the probes.
const { url, keys } = workerData as ProberOptions;
let times: number[] = [];

async function probe(key: string): Promise<void> {
  const began = performance.now();
  const answer = await fetch(`${url}/v1/me`, { headers: { authorization: `Bearer ${key}` } });
  await answer.text();
  if (answer.status !== 200) throw new Error(`/v1/me answered ${answer.status}`);
  times.push(performance.now() - began);
}

parentPort?.on('message', () => {
  parentPort?.postMessage(times, []);
  times = [];
});
for (let at = 0; ; at += 1) {
  void probe(keys[at % keys.length] ?? '');
  await sleep(EVERY_MS);
}
