import sharp from 'sharp';
import type { Provider } from '#contract/resources/provider.ts';
import { type FakeUpstreamServer, startFakeUpstream } from '#server/models/engine/testing/fake-upstream-server.ts';
import { createFakeFalRecord, type FakeFalRecord } from '#server/models/providers/fal/testing/fake-fal-record.ts';
import { createFakeFalHandler } from '#server/models/providers/fal/testing/fake-fal-server.ts';
import { call } from './api-client.ts';
import type { Service } from './service.ts';
import { test as base } from './test.ts';

const KEY = 'fal-browser-test-0123456789:fal-secret';
/** Reads bills. */
export const BILLING_KEY = 'fal-browser-test-0123456789:fal-admin';
const FINISH_EVERY_MS = 200;

/** Tests with a fake fal that completes each job at once; see `connectFal`. */
export const test = base.extend<object, { fal: FakeUpstreamServer & { record: FakeFalRecord } }>({
  fal: [
    async ({}, use) => {
      const record = createFakeFalRecord();
      record.bills.key = BILLING_KEY;
      const server = await startFakeUpstream(KEY, (upstream) => createFakeFalHandler(upstream, record));
      const picture = { create: { width: 512, height: 512, channels: 3, background: '#2a6f97' } } as const;
      server.upstream.outputs = [await sharp(picture).png().toBuffer()];
      const timer = setInterval(() => {
        for (const job of server.upstream.jobs) if (job.state === 'queued') job.state = 'succeeded';
      }, FINISH_EVERY_MS);
      await use({ ...server, record });
      clearInterval(timer);
      await server.close();
    },
    { scope: 'worker' },
  ],
  environment: async ({}, use) => use({ ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8' }),
});

export const connectFal = (service: Service, { base_url }: FakeUpstreamServer): Promise<Provider> =>
  call<Provider>(service, 'POST', '/v1/providers', {
    provider: 'fal',
    key: KEY,
    address: base_url,
    models: [{ task: 'image.create', model: 'imgmodel-b-2' }],
  });
