import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { List } from '#contract/primitives.ts';
import type { Generation } from '#contract/resources/generation.ts';
import type { WebhookDelivery, WebhookEndpointCreated } from '#contract/resources/webhook.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { itOnPostgres, killCount } from '#server/app/testing/kill-tests.ts';
import { type ServiceProcess, prepareServiceProcess } from '#server/app/testing/service-process.ts';
import { type WebhookReceiver, startWebhookReceiver } from './testing/webhook-receiver.ts';
import { sentGeneration } from './testing/sent-generation.ts';

const KILLS = killCount(2);
const PICTURE = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'a lighthouse at dusk' } };

let service: ServiceProcess;
let receiver: WebhookReceiver;
beforeEach(async () => {
  service = await prepareServiceProcess();
  receiver = await startWebhookReceiver();
  await writeFile(join(service.dataDir, 'ca.pem'), receiver.certificate.cert);
});
afterEach(async () => {
  await service.remove();
  await receiver.close();
});

const start = (databaseUrl: string | null) =>
  service.start(databaseUrl, {
    ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8,::1/128',
    NODE_EXTRA_CA_CERTS: join(service.dataDir, 'ca.pem'),
  });

/** Kills the service repeatedly while receivers respond slowly, then checks the deliveries. */
async function deliversAll(databaseUrl: string | null): Promise<void> {
  await start(databaseUrl);
  const events = ['generation.succeeded'];
  const { id } = await service.post<WebhookEndpointCreated>('/v1/webhooks/endpoints', {
    url: receiver.url('/hook'),
    events,
  });
  const path = `/v1/webhooks/endpoints/${id}/deliveries?limit=100`;
  const deliveries = async () => (await service.get<List<WebhookDelivery>>(path)).data;
  const generations: string[] = [];
  for (let round = 0; round < KILLS; round += 1) {
    receiver.defaultBehaviors.set('/hook', 'hang');
    const seen = receiver.receivedAt('/hook').length;
    for (let times = 0; times < 3; times += 1)
      generations.push((await service.post<Generation>('/v1/generations', PICTURE)).id);
    await waitFor('a delivery to be under way', async () => receiver.receivedAt('/hook').length > seen);
    await service.stop('SIGKILL');
    receiver.defaultBehaviors.set('/hook', 204);
    await start(databaseUrl);
    await waitFor('everything to be delivered', async () => {
      const all = await deliveries();
      return all.length === generations.length && all.every(({ status }) => status === 'succeeded');
    });
  }
  const sent = receiver.receivedAt('/hook');
  expect(new Set(sent.map(({ event }) => sentGeneration(event).id))).toEqual(new Set(generations));
  // Redeliveries count once.
  expect(new Set(sent.map(({ event }) => event.id)).size).toBe(generations.length);
  expect(sent.length).toBeGreaterThan(generations.length);
}

describe(`killed ${KILLS} times during deliveries, the service`, () => {
  const timeoutMs = 120_000 + KILLS * 90_000;

  it('delivers every event at least once', () => deliversAll(null), timeoutMs);

  itOnPostgres('does so where the database is PostgreSQL', () => service, deliversAll, timeoutMs);
});
