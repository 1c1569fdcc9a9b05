import { RUN_PRICE } from '#contract/added-models/testing/run-price.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AddedModelVersion } from '#contract/added-models/definition.ts';
import type { AddedPrice } from '#contract/added-models/prices/price-schema.ts';
import { parseInput } from '#contract/parse-input.ts';
import { extractReferences } from '#contract/task-input.ts';
import { usePresetServer } from '#server/models/engine/testing/preset-server-fixture.ts';
import { truncateResponse } from '#server/models/engine/testing/fake-upstream-server.ts';
import { uniqueSeed } from '#server/models/engine/unique-seed.ts';
import type { UpstreamEngineJob } from '#server/models/engine/upstream.ts';
import { addedReplicateModels } from './added-replicate-models.ts';
import { createFakeReplicateHandler, createFakeReplicateState } from './testing/fake-replicate-server.ts';
import { versionId } from './testing/fake-replicate-schemas.ts';

const account = createFakeReplicateState();
const bench = usePresetServer('r8_secret', (upstream) => createFakeReplicateHandler(upstream, account));
const { signal } = new AbortController();
beforeEach(() => {
  Object.assign(account, createFakeReplicateState());
  const { upstream } = bench.server;
  upstream.jobs.length = 0;
  upstream.answer = null;
  upstream.outputs = [randomBytes(100)];
});

const { parseAddress, search, read, normalize, createAdapter } = addedReplicateModels;

describe('parseAddress', () => {
  const version = versionId('a');
  it.each([
    ['acme/reader', 'acme/reader', null],
    [' Acme/Reader_1.5 ', 'Acme/Reader_1.5', null],
    [`acme/reader:${version}`, 'acme/reader', version],
    ['https://replicate.com/acme/reader', 'acme/reader', null],
    ['http://www.replicate.com/acme/reader/?input=form#try', 'acme/reader', null],
    ['replicate.com/acme/reader', 'acme/reader', null],
    [`https://replicate.com/acme/reader/versions/${version.toUpperCase()}`, 'acme/reader', version],
  ])('reads %s', (text, provider_model, provider_version) => {
    expect(parseAddress(text)).toEqual({ provider_model, provider_version });
  });

  it.each([
    '',
    'reader',
    'acme/reader/more',
    'acme/../reader',
    '../account',
    'acme/..',
    'acme/.',
    'acme/reader:1',
    'acme/reader%2f..',
    'acme/rea der',
    'https://evil.test/acme/reader',
    'https://replicate.com.evil.test/acme/reader',
    `acme/${'a'.repeat(101)}`,
    `${'a/'.repeat(50_000)}`,
  ])('rejects %j', (text) => expect(parseAddress(text)).toBeNull());
});

const readModel = (text: string) => {
  const address = parseAddress(text);
  return address ? read(bench.connect(), address, signal) : expect.fail(`${text} is no address.`);
};

describe('search', () => {
  it('lists models by name and description', async () => {
    expect(await search?.(bench.connect(), 'music & more', signal)).toEqual([]);
    expect(await search?.(bench.connect(), 'music', signal)).toEqual([
      { provider_model: 'acme/composer', name: 'composer', description: 'Composes music', category: null },
    ]);
  });

  it('lists at most 20 models, and none whose name could lead elsewhere', async () => {
    const [model] = account.models;
    if (!model) return expect.fail();
    account.models = ['../x', ...Array.from({ length: 30 }, (_, index) => `copy-${index}`)].map((name) => ({
      ...model,
      name,
    }));
    const names = (await search?.(bench.connect(), '', signal))?.map(({ name }) => name);
    expect(names).toHaveLength(19);
    expect(names).not.toContain('../x');
  });
});

describe('read', () => {
  it('pins the newest version of a community model', async () => {
    expect(await readModel('acme/composer')).toMatchObject({
      provider_model: 'acme/composer',
      provider_version: versionId('d'),
      name: 'composer',
      description: 'Composes music',
      page_url: 'https://replicate.com/acme/composer',
      is_deprecated: false,
      published_price: null,
      price_text: null,
    });
  });

  it('reads the version that was named', async () => {
    const { provider_version, document } = await readModel(`acme/composer:${versionId('c')}`);
    expect(provider_version).toBe(versionId('c'));
    const names = (snapshot: unknown) =>
      Object.keys(JSON.parse(JSON.stringify(snapshot)).components.schemas.Input.properties);
    expect(names(document)).not.toContain('seed');
    expect(names((await readModel('acme/composer')).document)).toContain('seed');
  });

  it('names no version of an official model', async () => {
    expect(await readModel('acme/sharpen')).toMatchObject({ provider_version: null });
  });

  it('marks a model without a version as deprecated', async () => {
    const snapshot = await readModel('acme/abandoned');
    expect(snapshot).toMatchObject({ provider_version: null, is_deprecated: true });
    await expect(normalize(snapshot, {})).rejects.toMatchObject({ name: 'SchemaError' });
  });

  it.each([
    ['acme/nothing', 'Replicate has no model acme/nothing, or it is private and this key can’t use it.'],
    [`acme/composer:${versionId('f')}`, 'acme/composer does not have this version.'],
  ])('reports that %s does not exist', async (text, message) => {
    await expect(readModel(text)).rejects.toMatchObject({ name: 'EngineError', message });
  });

  it('reports a wrong key, and an unreadable response', async () => {
    const address = { provider_model: 'acme/reader', provider_version: null };
    await expect(read(bench.connect('wrong'), address, signal)).rejects.toMatchObject({ name: 'EngineError' });
    bench.server.injectFault(truncateResponse);
    await expect(read(bench.connect(), address, signal)).rejects.toMatchObject({ name: 'ResponseLostError' });
  });
});

const PRICE: AddedPrice = { ...RUN_PRICE, unit_price_micro_usd: 10_000 };

async function publish(text: string, price: Partial<AddedPrice> = {}): Promise<AddedModelVersion> {
  const snapshot = await readModel(text);
  return {
    id: 'added-model',
    version: 1,
    task: 'other.run',
    provider: 'replicate',
    ...snapshot,
    ...(await normalize(snapshot, {})),
    price: { ...PRICE, ...price },
    markup_percent: 0,
  };
}

/** @param size_bytes of each file of the input */
async function createJob(model: AddedModelVersion, values: object, size_bytes = 10): Promise<UpstreamEngineJob> {
  const parsed = parseInput(model.normalized.contract, values, null);
  if (!parsed.ok) return expect.fail(JSON.stringify(parsed.details));
  const id = `gen_${randomUUID()}`;
  const references = extractReferences(model.normalized.contract, parsed.input).map(async (reference) => {
    const file = join(bench.directory, `${id}-${reference.path}`);
    await writeFile(file, randomBytes(size_bytes));
    const shape = { width: null, height: null, duration_seconds: null, fps: null, has_audio: false };
    const media = { kind: reference.kind, mime_type: 'image/png', extension: 'png', size_bytes, ...shape } as const;
    return { ...reference, file, media };
  });
  return {
    generation_id: id,
    submit_key: id,
    task: model.task,
    model: model.id,
    model_version: model.version,
    input: parsed.input,
    references: await Promise.all(references),
    workDir: bench.directory,
    signal,
    onProgress: () => undefined,
  };
}

async function run(model: AddedModelVersion, values: object, size_bytes?: number) {
  const job = await createJob(model, values, size_bytes);
  const accepted = await createAdapter(bench.connect(), model).submit(job);
  if (accepted.status !== 'accepted') return expect.fail(accepted.status);
  bench.completeJobs();
  const state = await createAdapter(bench.connect(), model).poll(job, accepted.handle);
  return state.status === 'succeeded' ? state : expect.fail(JSON.stringify(state));
}

const image = { url: 'https://example.com/a.png' };

describe('running an added model', () => {
  it('runs the pinned version of a community model with its fields and files', async () => {
    const model = await publish('acme/reader');
    expect(model.normalized.contract.fields.map(({ name, kind }) => [name, kind])).toEqual([
      ['text', 'text'],
      ['voice', 'choice'],
      ['speaker', 'reference'],
      ['speed', 'number'],
      ['seed', 'integer'],
    ]);
    const { result } = await run(model, { text: 'Hello', voice: 'Cleo', speaker: image, seed: 7 });
    expect(account.created).toEqual([
      {
        version: `acme/reader:${versionId('a')}`,
        input: { text: 'Hello', voice: 'Cleo', speed: 1, seed: 7, speaker: expect.stringMatching(/^data:/) },
        cancel_after: '60s',
      },
    ]);
    expect(result.data).toBeNull();
    expect(await Promise.all(result.files.map((file) => readFile(file)))).toEqual(bench.server.upstream.outputs);
  });

  it('runs an official model without a version, uploads a large file and reports billed images', async () => {
    const model = await publish('acme/sharpen', { unit: 'image' });
    const { result, cost_micro_usd } = await run(model, { image, scale: 4 }, 300_000);
    expect(account.created).toMatchObject([{ version: 'acme/sharpen', input: { scale: 4, face_enhance: false } }]);
    expect([...account.files.keys()]).toEqual([account.created[0]?.input['image']]);
    expect(result).toMatchObject({ units: 1, data: null });
    expect(cost_micro_usd).toBeNull();
  });

  it('keeps the older version of a model that has a newer one', async () => {
    await run(await publish(`acme/composer:${versionId('c')}`), { prompt: 'A waltz' });
    expect(account.created).toMatchObject([
      { version: `acme/composer:${versionId('c')}`, input: { prompt: 'A waltz', duration: 8, variations: 1 } },
    ]);
  });

  it('saves every file of a list, and lists those that the library does not hold', async () => {
    bench.server.upstream.outputs = [randomBytes(10), randomBytes(20)];
    const model = await publish('acme/composer');
    const { result } = await run(model, { prompt: 'A waltz', variations: 2 });
    expect(await Promise.all(result.files.map((file) => readFile(file)))).toEqual(bench.server.upstream.outputs);
    account.overrides = { output: { stems: 'https://files.test/stems.zip', tempo: 90 } };
    expect((await run(model, { prompt: 'A waltz' })).result).toEqual({
      files: [],
      data: { tempo: 90, other_files: [{ name: 'stems.zip', url: 'https://files.test/stems.zip' }] },
    });
  });

  it('joins the words of a model that returns text, and counts its tokens', async () => {
    bench.server.upstream.answer = 'A ripe pear.';
    const { result } = await run(await publish('acme/describer', { unit: 'token' }), { image });
    expect(result).toEqual({ files: [], data: { output: 'A ripe pear.' }, units: 312 });
  });

  it.each<[Partial<AddedPrice>, object, number | undefined]>([
    [{ unit: 'second' }, { video_output_duration_seconds: 5, predict_time: 40 }, 5],
    [{ unit: 'second', quantity: { from: 'result', largest: null } }, { predict_time: 2.5 }, 2.5],
    [{ unit: 'second' }, { predict_time: 2.5 }, undefined],
    [{ unit: 'image' }, { image_output_count: 'many' }, undefined],
    [{ unit: 'token' }, {}, undefined],
    [{ unit: 'run' }, { image_output_count: 3 }, undefined],
  ])('reads the units of %j from %j', async (price, metrics, units) => {
    account.overrides = { metrics };
    expect((await run(await publish('acme/composer', price), { prompt: 'A waltz' })).result.units).toBe(units);
  });

  it('reports what the model does not take', async () => {
    const model = await publish('acme/reader');
    const job = await createJob(model, { text: 'Hello' });
    const submitted = createAdapter(bench.connect(), model).submit({ ...job, input: { ...job.input, speed: 9 } });
    await expect(submitted).rejects.toMatchObject({
      name: 'EngineError',
      message: expect.stringMatching(/^The provider rejected the request: speed: /),
    });
  });
});

describe('a lost submit', () => {
  async function lose(model: AddedModelVersion, values: object) {
    account.lists_predictions = true;
    const adapter = createAdapter(bench.connect(), model);
    const job = await createJob(model, values);
    bench.server.injectFault(truncateResponse);
    await expect(adapter.submit(job)).rejects.toMatchObject({ name: 'ResponseLostError' });
    // Another process looks for it.
    const lost = { ...job, submitted_at: new Date() };
    return { job, handle: await createAdapter(bench.connect(), model).findLostSubmit?.(lost) };
  }

  it('is found by a seed that the person left empty', async () => {
    const { job, handle } = await lose(await publish('acme/composer'), { prompt: 'A waltz' });
    expect(account.created[0]?.input['seed']).toBe(uniqueSeed(job.submit_key));
    expect(handle).toEqual({ prediction_id: bench.server.upstream.jobs[0]?.id });
  });

  it('is not found by a seed that the person set, or without a seed', async () => {
    expect((await lose(await publish('acme/composer'), { prompt: 'A waltz', seed: 7 })).handle).toBeNull();
    expect(account.created[0]?.input['seed']).toBe(7);
    const old = await publish(`acme/composer:${versionId('c')}`);
    expect((await lose(old, { prompt: 'A waltz' })).handle).toBeNull();
  });
});
