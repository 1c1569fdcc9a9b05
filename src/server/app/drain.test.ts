import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ServiceProcess, prepareServiceProcess } from './testing/service-process.ts';

const PROBE_INTERVAL_MS = 100;
const ORDER = { task: 'social.search', input: { platform: 'social_a', query: 'boats' } };

let service: ServiceProcess;
/** Keeps connections open between requests, as proxies do. */
const clients = Array.from({ length: 4 }, () => new Agent({ connections: 1, keepAliveTimeout: 60_000 }));
beforeAll(async () => {
  service = await prepareServiceProcess();
  await service.start(null, { SHUTDOWN_DELAY_SECONDS: '5' });
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.destroy()));
  await service.remove();
});

it('serves clients with open connections until they know that it shuts down', async () => {
  const notReady = new AbortController();
  const statuses = new Set<number>();
  const closed: boolean[] = [];
  const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' };
  const orders = clients.map(async (dispatcher) => {
    for (; !notReady.signal.aborted; await sleep(20)) {
      const response = await request(service.url('/v1/generations'), {
        method: 'POST',
        headers,
        body: JSON.stringify(ORDER),
        dispatcher,
      });
      await response.body.dump();
      statuses.add(response.statusCode);
      closed.push(response.headers.connection === 'close');
    }
  });
  await expect.poll(() => closed.length).toBeGreaterThan(20);
  expect(closed).not.toContain(true);
  const stopped = service.stop('SIGTERM');
  await expect.poll(() => closed.includes(true)).toBe(true);
  while ((await fetch(service.url('/readyz'))).ok) await sleep(PROBE_INTERVAL_MS);
  notReady.abort();
  await Promise.all(orders);
  expect(statuses).toEqual(new Set([201]));
  expect(await stopped, service.output()).toBe(0);
});
