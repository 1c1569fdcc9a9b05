import sharp from 'sharp';
import { createFakeOpenAiHandler } from '#server/models/providers/openai/testing/fake-openai-server.ts';
import { type FakeUpstreamServer, startFakeUpstream } from '#server/models/engine/testing/fake-upstream-server.ts';
import { test as base } from './test.ts';

export const OPENAI_KEY = 'sk-environment-test-0123456789';

/** Tests of a service whose environment holds a key of OpenAI and the address of a fake server of it. */
export const test = base.extend<object, { openai: FakeUpstreamServer }>({
  openai: [
    async ({}, use) => {
      const server = await startFakeUpstream(OPENAI_KEY, createFakeOpenAiHandler);
      const picture = { create: { width: 1024, height: 1024, channels: 3, background: '#2a6f97' } } as const;
      server.upstream.outputs = [await sharp(picture).png().toBuffer()];
      await use(server);
      await server.close();
    },
    { scope: 'worker' },
  ],
  environment: async ({ openai }, use) =>
    use({
      OPENAI_API_KEY: OPENAI_KEY,
      OPENAI_BASE_URL: openai.base_url,
      ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8',
    }),
});
