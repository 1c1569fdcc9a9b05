import { createFalClient, type FalClient } from '@fal-ai/client';
import { afterAll, beforeAll } from 'vitest';
import type { TestServiceOptions } from '#server/app/testing/test-service.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { type TestOrganization, useSharedService } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createWorkerFixture } from '#server/studio/generations/testing/worker-fixture.ts';

export const connectFal = (url: string, credentials: string): FalClient =>
  createFalClient({ credentials, proxyUrl: { url: `${url}/compat/fal`, when: 'always' } });

/** A service that fal's client reaches, with a scripted engine, a worker and an organization with funds. */
export function falFixture(options: TestServiceOptions = {}) {
  const engine = createScriptedEngine();
  const service = useSharedService(() => ({
    engines: [engine],
    ...options,
    config: { publicRateLimitPerMinute: 100_000, ...options.config },
  }));
  const workers = createWorkerFixture(service);
  let url = '';
  let studio: TestOrganization;
  let client: FalClient;
  beforeAll(async () => {
    url = await service.get().listen();
    Object.assign(service.get().deps.config, { publicUrl: url });
    await workers.start();
    studio = await service.createOrganization('1000.00');
    client = connectFal(url, studio.key);
  });
  afterAll(async () => {
    engine.unblock();
    await workers.stop();
  });
  return {
    engine,
    service,
    workers,
    get url() {
      return url;
    },
    get studio() {
      return studio;
    },
    get client() {
      return client;
    },
    read: (generation_id: string): Promise<Generation> => workers.read(studio, generation_id),
    /** As a program does without the client. */
    fetch: (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
      fetch(`${url}/compat/fal${path}`, {
        method,
        headers: {
          authorization: `Key ${studio.key}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    count: async (): Promise<number> =>
      (await studio.call('list_generations', { query: { limit: 200 } })).body.data.length,
  };
}
