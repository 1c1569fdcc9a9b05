import path from 'node:path';
import { rename } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { falDocument } from '#contract/added-models/testing/fal-document.ts';
import { SCHEMA_LIMITS } from '#contract/added-models/schema-limits.ts';
import { RUN_PRICE } from '#contract/added-models/testing/run-price.ts';
import type { List } from '#contract/primitives.ts';
import type { AddedModel } from '#contract/resources/added-model.ts';
import type { Alert } from '#contract/resources/alert.ts';
import type { Provider } from '#contract/resources/provider.ts';
import type { FakeUpstream } from '#server/models/engine/testing/fake-upstream-server.ts';
import type { WorkflowDefinition } from '#contract/workflows/workflow-definition.ts';
import { MAX_ORGANIZATION_NAME_LENGTH, MAX_SHARE_TITLE_LENGTH } from '#contract/limits.ts';
import { FAKE_FAL_MODELS } from '#server/models/providers/fal/testing/fake-fal-models.ts';
import { call, postGeneration, uploadFile, waitForGeneration } from './api-client.ts';
import { createTempDirectory, makeClip } from './clips.ts';
import { addPerson, type PersonSession } from './people.ts';
import type { Service } from './service.ts';
import { postRun, waitForRunEnd } from './workflow-fixture.ts';

/** A word without a place to break at. */
const longWord = (length: number): string => 'Wortungetüm'.repeat(Math.ceil(length / 11)).slice(0, length);

/** Of the added model, at its provider. */
const ENDPOINT = 'acme/upscale';

function makeModelHostile(): void {
  const model = FAKE_FAL_MODELS[ENDPOINT];
  if (!model) throw new Error(`There is no model ${ENDPOINT}.`);
  const options = Array.from({ length: 5 }, (_, at) => `${at}${longWord(SCHEMA_LIMITS.option_characters - 1)}`);
  const words = {
    title: longWord(SCHEMA_LIMITS.label_characters),
    description: longWord(SCHEMA_LIMITS.help_characters),
  };
  const settings = { type: 'object', title: words.title, properties: { inner: { type: 'string', ...words } } };
  model.document = falDocument(
    {
      prompt: { type: 'string', ...words },
      style: { type: 'string', enum: options, default: options[0], ...words },
      strength: { type: 'number', minimum: 0, maximum: 1, ...words },
      fast: { type: 'boolean', ...words },
      image_url: { type: 'string', ...words },
      rows: { type: 'array', items: settings, maxItems: 3, ...words },
      [longWord(SCHEMA_LIMITS.name_characters).replaceAll('ü', 'u')]: { type: 'string' },
    },
    { required: ['prompt', 'mood'], output: { image: { type: 'object', properties: { url: { type: 'string' } } } } },
  );
  model.description = longWord(160);
  model.price_text = longWord(400);
}

async function addHostileModel(service: Service, provider_id: string): Promise<AddedModel> {
  makeModelHostile();
  const source = { provider_id, address: ENDPOINT };
  const { hash } = await call<{ hash: string }>(service, 'POST', '/v1/added-models/inspect', source);
  const model = await call<AddedModel>(service, 'POST', '/v1/added-models', {
    ...source,
    hash,
    name: longWord(60),
    description: longWord(160),
    task: 'image.create',
    price: RUN_PRICE,
  });
  return call<AddedModel>(service, 'PUT', `/v1/added-models/${model.id}`, { state: 'published' });
}

/** Of the workflows. */
const INPUTS = {
  prompt: { type: 'string', title: longWord(80), description: longWord(300) },
  mood: {
    type: 'string',
    enum: ['a', 'b', 'c'],
    title: longWord(80),
    'x-labels': { a: longWord(80), b: longWord(80) },
  },
};

const WORKFLOW: WorkflowDefinition = {
  slug: longWord(60).replaceAll('ü', 'u').toLowerCase(),
  name: longWord(80),
  description: longWord(500),
  input_schema: {
    type: 'object',
    properties: INPUTS,
    required: ['prompt', 'mood'],
  },
  example_input: { prompt: longWord(300), mood: 'a' },
  steps: [
    {
      key: `p${'u'.repeat(39)}`,
      name: longWord(80),
      task: 'image.create',
      model: 'imgmodel-b-2-lite',
      input: { prompt: '{{ input.prompt }}' },
    },
  ],
};

/** Its runs fail, as only those can be retried. */
const FAILING_WORKFLOW: WorkflowDefinition = {
  ...WORKFLOW,
  slug: `f${WORKFLOW.slug.slice(1)}`,
  input_schema: {
    type: 'object',
    properties: {
      ...INPUTS,
      video: { type: 'object', 'x-media': 'video', title: longWord(80) },
    },
    required: ['prompt', 'mood', 'video'],
  },
  steps: [
    ...WORKFLOW.steps,
    {
      key: 'cut',
      name: longWord(80),
      task: 'video.trim',
      needs: WORKFLOW.steps.map(({ key }) => key),
      input: { video: '{{ input.video }}', start_seconds: 5, end_seconds: 6 },
    },
  ],
};

/** Where the long words are. */
export interface LongWords {
  /** Pages that show some of them. */
  paths: string[];
  sharePath: string;
  /** A result whose credentials state its prompt. */
  resultUrl: string;
  /** Where the provider has the added model. */
  modelAddress: string;
  /** Has a long name. */
  member: PersonSession;
}

/** Long words in all that people and providers name. */
export async function seedLongWords(
  service: Service,
  { id: provider_id }: Provider,
  upstream: FakeUpstream,
): Promise<LongWords> {
  const send = <T = { id: string }>(method: string, to: string, body?: unknown) => call<T>(service, method, to, body);
  await send('PUT', '/v1/settings', {
    organization_name: longWord(MAX_ORGANIZATION_NAME_LENGTH),
    prompt_in_credentials: true,
  });
  await send('PUT', '/v1/tags/client', { label: longWord(40), required: false, values: [longWord(64)] });
  await send('PUT', '/v1/catalog-labels/image.create', { name: longWord(40), description: longWord(160) });
  await send('PUT', '/v1/catalog-labels/imgmodel-a-2', { name: longWord(40), description: longWord(160) });
  const metadata = { client: longWord(64), shot: longWord(500) };

  const member = await addPerson(service, 'member', longWord(80));
  const { data: people } = await send<{ data: { id: string }[] }>('GET', '/v1/people');
  const key = await send('POST', '/v1/api-keys', { name: longWord(80), kind: 'member' });
  await send('POST', '/v1/billing/credits', { amount_usd: '50', description: longWord(400) });
  const scopes = [`person:${people[0]?.id ?? ''}`, `key:${key.id}`, `tag:client=${longWord(64)}`];
  for (const scope of scopes) {
    // That of the key is used up from the start, which raises an alert.
    const limit_usd = scope.startsWith('key:') ? '0' : '5';
    await send('POST', '/v1/billing/budgets', { scope, interval: 'day', limit_usd, contact: longWord(200) });
  }
  await expect.poll(async () => (await send<List<Alert>>('GET', '/v1/alerts')).data.length).toBeGreaterThan(0);
  const budget = await send('POST', '/v1/billing/budgets', { scope: 'organization', limit_usd: '40' });
  const asked = { kind: 'budget', budget_id: budget.id, amount_usd: '1', note: longWord(400) };
  await call(member, 'POST', '/v1/requests', asked);
  const url = `https://127.0.0.1:1/${longWord(300).replaceAll('ü', 'u')}`;
  const endpoint = await send('POST', '/v1/webhooks/endpoints', { url, events: ['generation.succeeded'] });
  const delivery = await send('POST', `/v1/webhooks/endpoints/${endpoint.id}/test`);

  const model = await addHostileModel(service, provider_id);
  const input = { prompt: longWord(1_000) };
  const order = { task: 'image.create', model: 'imgmodel-b-2-lite', input, metadata };
  const made = await postGeneration(service, order);
  const added = await postGeneration(service, { ...order, model: model.id, input: { prompt: longWord(300) } });
  const upload = async (name: string) => {
    const folder = createTempDirectory();
    const file = path.join(folder, `${name}.mp4`);
    await rename(makeClip(folder, 'a.mp4', { seconds: 1 }), file);
    return uploadFile(service, file);
  };
  const clip = await upload(longWord(60));
  const deleted = await upload(`2${longWord(60)}`);
  await send('POST', '/v1/media/delete', { ids: [deleted.id], to_trash: true });
  const failing = { video: { url: clip.url }, start_seconds: 5, end_seconds: 6 };
  const failed = await postGeneration(service, { task: 'video.trim', input: failing });
  const [asset] = (await waitForGeneration(service, made.id)).output.assets;
  if (!asset) throw new Error('Nothing was made.');
  for (const { id } of [added, failed]) await waitForGeneration(service, id);
  const { outputs } = upstream;
  upstream.outputs = [];
  const inReview = await postGeneration(service, { ...order, model: 'imgmodel-b-2' });
  await waitForGeneration(service, inReview.id);
  upstream.outputs = outputs;

  const media_ids = [clip.id, asset.id];
  await send('POST', '/v1/media/labels', { media_ids, add: [longWord(40)], remove: [] });
  const collection = await send('POST', '/v1/collections', { name: longWord(80), description: longWord(2_000) });
  await send('POST', `/v1/collections/${collection.id}/media`, { media_ids });
  const share = await send<{ url: string }>('POST', '/v1/shares', {
    collection_id: collection.id,
    title: longWord(MAX_SHARE_TITLE_LENGTH),
    show_prompts: true,
    show_organization: true,
    asks_for: 'approval',
  });
  await send('POST', '/v1/presets', { ...order, metadata: undefined, name: longWord(80), shared: true });
  const batch = await send('POST', '/v1/batches', {
    name: longWord(120),
    mode: 'list',
    orders: [order],
  });
  await send('POST', '/v1/workflow-starters', WORKFLOW);
  await send('POST', '/v1/workflow-starters', FAILING_WORKFLOW);
  const values = { prompt: longWord(300), mood: 'b' };
  const run = await postRun(service, WORKFLOW.slug, values);
  const failedRun = await postRun(service, FAILING_WORKFLOW.slug, { ...values, video: { url: clip.url } });
  for (const { id } of [run, failedRun]) await waitForRunEnd(service, id);

  const paths = [
    '/create/image.create/imgmodel-a-2',
    `/create/image.create/${model.id}`,
    `/generations/${made.id}`,
    `/generations/${added.id}`,
    `/generations/${failed.id}`,
    '/generations',
    '/batches',
    `/batches/new?task=image.create&model=${model.id}`,
    `/batches/${batch.id}`,
    '/library',
    `/library?collection=${collection.id}`,
    `/library?item=${asset.id}`,
    '/library/shares',
    '/library/trash',
    '/uploads',
    `/uploads/${clip.id}`,
    '/workflows',
    '/workflows?part=runs',
    `/workflows/new?like=${WORKFLOW.slug}`,
    `/workflows/${WORKFLOW.slug}`,
    `/workflows/${WORKFLOW.slug}/edit`,
    `/workflows/runs/${run.id}`,
    `/workflows/runs/${run.id}?step=${WORKFLOW.steps[0]?.key}`,
    `/workflows/runs/${failedRun.id}`,
    `/workflows/runs/${failedRun.id}/retry`,
    '/billing',
    '/billing?part=ledger',
    '/billing?part=report&rows=person&columns=tag:client',
    '/billing?part=statement',
    '/billing?part=report&measure=margin&rows=model',
    '/billing?part=what_if',
    '/review',
    `/review/${inReview.id}`,
    '/people',
    `/providers/${provider_id}/models`,
    '/models',
    '/added-models',
    `/added-models/${model.id}`,
    '/keys',
    '/webhooks',
    `/webhooks/${endpoint.id}`,
    `/webhooks/${endpoint.id}/${delivery.id}`,
    '/alerts',
    '/audit',
    '/settings',
  ];
  return { paths, sharePath: new URL(share.url).pathname, resultUrl: asset.url, modelAddress: ENDPOINT, member };
}
