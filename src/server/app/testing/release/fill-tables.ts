import { readFile } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import sharp from 'sharp';
import { RUN_PRICE } from '#contract/added-models/testing/run-price.ts';
import type { BodyInput, EndpointName } from '#contract/api/endpoints.ts';
import { isActive } from '#contract/statuses.ts';
import { recordPrices } from '#server/accounts/billing/reports/price-books.ts';
import { type FakeUpstreamServer, startFakeUpstream } from '#server/models/engine/testing/fake-upstream-server.ts';
import { createFakeFalRecord } from '#server/models/providers/fal/testing/fake-fal-record.ts';
import { createFakeFalHandler } from '#server/models/providers/fal/testing/fake-fal-server.ts';
import { checkAlerts } from '#server/operations/alerts/check-alerts.ts';
import { verifyDaily } from '#server/operations/alerts/verify-daily.ts';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import { readRows } from '#server/platform/db/rows/list-tables.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { createSoftwareAuthenticator } from '../software-authenticator.ts';
import { createTestService, type TestService } from '../test-service.ts';
import { startWorker } from '../../worker.ts';
import { insertRemainingRows } from './insert-remaining-rows.ts';

const FAL_KEY = 'fal-id-0123456789:fal-secret';
const BILLING_KEY = 'fal-id-0123456789:fal-admin';
const IMAGE = { task: 'image.create', model: 'imgmodel-a-2' } as const;
const PROVIDED = { task: 'image.create', model: 'imgmodel-b-2' } as const;
const METADATA = { client: 'acme' };

/**
 * Runs work on a service whose database has rows in every table, as an installation in use has.
 * @param picture a file that providers return
 */
export async function withFilledService<T>(
  databaseUrl: string | null,
  picture: string,
  work: (service: TestService) => Promise<T>,
): Promise<T> {
  const record = createFakeFalRecord();
  record.bills.key = BILLING_KEY;
  const upstream = await startFakeUpstream(FAL_KEY, (fake) => {
    const create = fake.createJob;
    fake.createJob = (key) => Object.assign(create(key), { state: 'succeeded' as const });
    return createFakeFalHandler(fake, record);
  });
  upstream.upstream.outputs = [await readFile(picture)];
  const service = await createTestService({
    databaseUrl,
    engines: [createScriptedEngine()],
    fetcher: { ...createFetcher({ allowPrivateNetworks: ['127.0.0.0/8'] }), assertPublic: async () => undefined },
    config: { rateLimitPerMinute: 10_000 },
  });
  try {
    const worker = await startWorker(service.deps);
    try {
      await fillTables(service, upstream);
    } finally {
      await worker.stop();
    }
    return await work(service);
  } finally {
    await service.close();
    await upstream.close();
  }
}

async function fillTables(service: TestService, upstream: FakeUpstreamServer): Promise<void> {
  const { deps, organization_id } = service;
  await recordPrices(deps);
  const { person, session } = await service.addPerson('administrator', 'Ada');
  await service.addPerson('member', 'Mia');
  await fillSettings(service, session);
  const generationId = await fillWork(service, upstream);
  await fillLibrary(service, generationId);
  await insertRemainingRows(deps, { organization_id, person_id: person.id, key_id: person.key_id, generationId });
  await verifyDaily(deps, organization_id, new AbortController().signal);
  await checkAlerts(deps, organization_id);
}

type Post = <N extends EndpointName>(name: N, body: BodyInput<N>, params?: Record<string, string>) => Promise<unknown>;
const poster =
  (service: TestService): Post =>
  async (name, body, params) =>
    (await service.call(name, { body, ...(params ? { params } : {}) })).body;

/** People, keys, money and what administrators set. */
async function fillSettings(service: TestService, session: string): Promise<void> {
  const post = poster(service);
  await post('create_credit', { amount_usd: '50.00', description: 'Invoice 2026-117' });
  await post('set_tag', { label: 'Client', required: false, values: ['acme', 'globex'] }, { tag_name: 'client' });
  const { id: budget_id } = (await service.call('set_budget', { body: { scope: 'organization', limit_usd: '500' } }))
    .body;
  await post('create_request', { kind: 'budget', budget_id, amount_usd: '1', note: 'More, please.' });
  await post('update_settings', { alerts: { low_balance_usd: '9000' } });
  await post('set_catalog_label', { name: 'Photos', description: null }, { catalog_id: 'image.create' });
  await post('set_logo', { image: (await createTile('#c47f17')).toString('base64') });
  await post('create_invitation', { role: 'member' });
  await service.call('create_sign_in_token', { key: session, body: {} });
  const { body: options } = await service.call('start_passkey_registration', { key: session });
  const { publicUrl } = service.deps.config;
  const credential = createSoftwareAuthenticator(new URL(publicUrl).hostname, publicUrl).register(options.challenge);
  await service.call('create_passkey', { key: session, body: { name: 'Laptop', credential } });
  await service.call('start_passkey_registration', { key: session });
  await post('create_webhook_endpoint', {
    url: 'https://hooks.invalid/emulsion',
    events: ['generation.succeeded', 'alert.raised'],
  });
  await service.call('create_provider_bill', {
    query: { provider_id: 'file:any', month: '2026-11', filename: 'bill.csv' },
    file: Buffer.from('Date,Cost\n2026-11-01,1.25\n'),
  });
  const finding = { month: '2026-11', provider_id: 'file:any', kind: 'theirs_only' } as const;
  await post('settle_findings', { ...finding, action: 'book_cost', note: 'A test in the console' });
}

/** Generations of every kind of run. @returns one that a provider made */
async function fillWork(service: TestService, { upstream, base_url: address }: FakeUpstreamServer): Promise<string> {
  const post = poster(service);
  const connection = { provider: 'fal', key: FAL_KEY, address, models: [PROVIDED] } as const;
  const { id: provider_id } = (await service.call('connect_provider', { body: connection })).body;
  await post('set_billing_key', { key: BILLING_KEY }, { provider_id });
  const made = await complete(service, { ...PROVIDED, input: { prompt: 'A pear on a sill' }, metadata: METADATA });
  await post('create_refund', { generation_id: made, amount_usd: '0.01', reason: 'Blurred' });
  await complete(service, { ...IMAGE, input: { prompt: 'fail at once' } });
  const [picture] = upstream.outputs;
  upstream.outputs = [Buffer.from('not a picture')];
  const unreadable = () => complete(service, { ...PROVIDED, input: { prompt: 'A fig' } });
  await post('decide_review', { decision: 'reject', note: 'No picture.' }, { generation_id: await unreadable() });
  await unreadable();
  if (picture) upstream.outputs = [picture];
  await post('create_preset', { name: 'Pears', ...IMAGE, input: { prompt: 'Pears' }, shared: true });
  const orders = ['plum', 'fig'].map((prompt) => ({ ...IMAGE, input: { prompt }, metadata: METADATA }));
  await post('create_batch', { mode: 'list', orders });
  const steps = [
    { key: 'one', name: 'One', ...IMAGE, input: { prompt: 'One' } },
    { key: 'each', name: 'Each', for_each: '[1..2]', ...IMAGE, input: { prompt: 'Each' } },
  ];
  const input_schema = { type: 'object', properties: {} } as const;
  await post('create_workflow_starter', { slug: 'pears', name: 'Pears', input_schema, steps });
  await post('create_workflow_run', { starter_slug: 'pears', input: {} });
  const source = { provider_id, address: 'acme/motion/text-to-video' };
  const { hash, suggested } = (await service.call('inspect_model', { body: source })).body;
  const price = { ...RUN_PRICE, unit_price_micro_usd: 100_000 };
  const draft = { ...source, hash, name: 'Motion', task: suggested.task, price };
  const { id: model_id } = (await service.call('create_added_model', { body: draft })).body;
  await post('update_added_model', { state: 'published' }, { model_id });
  await waitFor('all work to end', async () => {
    const { data } = (await service.call('list_generations', { query: { limit: 200 } })).body;
    const runs = (await service.call('list_workflow_runs')).body.data;
    return data.every(({ status }) => !isActive(status)) && runs.every(({ completed_at }) => completed_at !== null);
  });
  return made;
}

async function complete(service: TestService, body: BodyInput<'create_generation'>): Promise<string> {
  const { id } = (await service.call('create_generation', { body, idempotency_key: crypto.randomUUID() })).body;
  await waitFor(`${id} to complete`, async () => {
    const generation = (await service.call('get_generation', { params: { generation_id: id } })).body;
    return generation.completed_at !== null || generation.status === 'manual_review';
  });
  return id;
}

/** Files, and what people do with them. */
async function fillLibrary(service: TestService, generationId: string): Promise<void> {
  const post = poster(service);
  const { output } = (await service.call('get_generation', { params: { generation_id: generationId } })).body;
  const media_id = output?.assets[0]?.id ?? '';
  const form = new FormData();
  form.append('file', new Blob([await createTile('#777777')]), 'grey.png');
  const sent = new Response(form);
  await service.app.inject({
    method: 'POST',
    url: '/v1/uploads',
    headers: {
      authorization: `Bearer ${service.keys.organization}`,
      'content-type': sent.headers.get('content-type') ?? '',
    },
    payload: Buffer.from(await sent.arrayBuffer()),
  });
  const media = { url: output?.assets[0]?.url ?? '' };
  await complete(service, { task: 'image.edit', model: 'imgmodel-a-2', input: { prompt: 'Greener', images: [media] } });
  await service.call('add_favourite', { params: { media_id } });
  await post('label_media', { media_ids: [media_id], add: ['best'] });
  await post('archive_media', { ids: [media_id] });
  const { id: collection_id } = (await service.call('create_collection', { body: { name: 'Fruit' } })).body;
  await post('add_collection_media', { media_ids: [media_id] }, { collection_id });
  await post('create_share', { media_id, asks_for: 'approval' });
  const { db } = service.deps;
  await waitFor('a thumbnail', async () => (await readRows(db, sql`select 1 from media_derivatives limit 1`)).length);
}

const createTile = (background: string): Promise<Buffer> =>
  sharp({ create: { width: 8, height: 8, channels: 3, background } })
    .png()
    .toBuffer();
