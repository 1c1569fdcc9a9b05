import { createHmac } from 'node:crypto';
import Replicate, { type Prediction, validateWebhook } from 'replicate';
import { beforeAll, expect, it } from 'vitest';
import { createSecrets } from '#server/platform/core/secrets.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { type TestOrganization, useSharedService } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createWorkerFixture } from '#server/studio/generations/testing/worker-fixture.ts';
import { buildCallback, readWebhook, webhookSecret } from './webhook-callback.ts';

const service = useSharedService(() => ({ engines: [createScriptedEngine()] }));
const workers = createWorkerFixture(service);
let studio: TestOrganization;
let url: string;

beforeAll(async () => {
  url = await service.get().listen();
  studio = await service.createOrganization('10.00');
  await workers.start();
  return () => workers.stop();
});

const secretOf = async (key: string): Promise<string> => {
  const client = new Replicate({ auth: key, baseUrl: `${url}/compat/replicate/v1` });
  return (await client.webhooks.default.secret.get()).key;
};

const toRequest = ({ headers, body }: { headers: Record<string, string>; body: string }): Request =>
  new Request('https://hooks.test/', { method: 'POST', headers, body });

it('is the prediction, signed for the secret that the client reads', async () => {
  const { deps } = service.get();
  const { id } = await workers.create(studio, 'a lighthouse');
  const generation = await workers.waitForStatus(studio, id, 'succeeded');
  const { organization_id } = studio;
  const { body, headers } = await buildCallback(deps, organization_id, generation, 'completed');
  const prediction = JSON.parse(body) as Prediction;
  expect(prediction).toMatchObject({ id, status: 'succeeded', model: 'openai/gpt-image-2' });
  expect(prediction.output).toEqual([expect.stringContaining('/media/ast_')]);
  expect(headers['webhook-id']).toBe(`msg_${id}_completed`);
  const secret = await secretOf(studio.key);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(await validateWebhook(toRequest({ headers, body }), secret)).toBe(true);
  const forged = body.replace('succeeded', 'failed');
  expect(await validateWebhook(toRequest({ headers, body: forged }), secret)).toBe(false);
  const repeated = { headers: { ...headers, 'webhook-id': 'msg_2' }, body };
  expect(await validateWebhook(toRequest(repeated), secret)).toBe(false);
  const other = await service.createOrganization('1.00');
  expect(await secretOf(other.key)).not.toBe(secret);
  expect(await validateWebhook(toRequest({ headers, body }), await secretOf(other.key))).toBe(false);
});

it('is signed for the secret from before a rotation too', async () => {
  const { deps } = service.get();
  const { organization_id } = studio;
  const generation = await workers.create(studio, 'a boat');
  const [before, after] = ['the first key of this ring', 'the second key of this ring'] as const;
  const ring = { ...deps, secrets: createSecrets(after, [before]) };
  const { body, headers } = await buildCallback(ring, organization_id, generation, 'started');
  for (const key of [before, after]) {
    const secret = webhookSecret({ secrets: createSecrets(key) }, organization_id);
    expect(await validateWebhook(toRequest({ headers, body }), secret)).toBe(true);
    // As Standard Webhooks describe it.
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const signature = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64')).update(signed);
    expect(headers['webhook-signature']?.split(' ')).toContain(`v1,${signature.digest('base64')}`);
  }
  expect(webhookSecret(ring, organization_id)).toBe(webhookSecret({ secrets: createSecrets(after) }, organization_id));
});

it.each([
  [null, undefined, null],
  ['https://hooks.test/a', undefined, ['started', 'completed']],
  ['https://hooks.test/a', ['start'], ['started']],
  ['https://hooks.test/a', ['output', 'completed', 'logs'], ['completed']],
  ['https://hooks.test/a', ['logs'], null],
] as const)('to %s of %j is sent at %j', async (webhook, filter, events) => {
  const { deps } = service.get();
  const call = { deps: { ...deps, fetcher: { ...deps.fetcher, assertPublic: async () => undefined } } };
  const read = await readWebhook(call as never, { webhook, webhook_events_filter: filter && [...filter] });
  expect(read).toEqual(events && { url: webhook, events });
});
