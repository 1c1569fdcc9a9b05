import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import type { AddedModelVersion } from '#contract/added-models/definition.ts';
import { normalizeFal } from '#contract/added-models/provider-schemas.ts';
import { suggestPrice } from '#contract/added-models/prices/suggest-price.ts';
import type { TaskId } from '#contract/ids.ts';
import { parseInput } from '#contract/parse-input.ts';
import { extractReferences } from '#contract/task-input.ts';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import type { ResolvedReference } from '#server/models/engine/engine.ts';
import { type FakeUpstreamServer, startFakeUpstream } from '#server/models/engine/testing/fake-upstream-server.ts';
import type { UpstreamEngineJob, UpstreamHandle, UpstreamState } from '#server/models/engine/upstream.ts';
import { addedFalModels } from '#server/models/providers/fal/added-fal-models.ts';
import type { PresetConnection } from '#server/models/providers/preset-connection.ts';
import { FAKE_FAL_MODELS } from './fake-fal-models.ts';
import { createFakeFalRecord, type FakeFalRecord } from './fake-fal-record.ts';
import { createFakeFalHandler } from './fake-fal-server.ts';

const KEY = 'fal-id:fal-secret';
const NO_MEASURES = { width: null, height: null, duration_seconds: null, fps: null, has_audio: false };
const FORMATS = {
  image: ['image/png', 'png'],
  video: ['video/mp4', 'mp4'],
  audio: ['audio/mpeg', 'mp3'],
} as const;

/** A version of a model of `FAKE_FAL_MODELS`, with the price that fal publishes. */
export async function versionOf(endpoint: string, task: TaskId = 'other.run'): Promise<AddedModelVersion> {
  const { name, document, category, price } = FAKE_FAL_MODELS[endpoint] ?? expect.fail(endpoint);
  const normalized = await normalizeFal(document, { category });
  const { contract, output } = normalized;
  const { price: suggested } = suggestPrice(price ?? { unit_price: 1, unit: 'runs' }, {
    contract,
    output,
    category,
    price_text: null,
    is_entered: true,
  });
  return {
    id: 'added-acme',
    version: 1,
    task,
    name,
    provider: 'fal',
    provider_model: endpoint,
    provider_version: null,
    normalized,
    provider_data: null,
    markup_percent: 0,
    price: suggested ?? expect.fail(endpoint),
  };
}

interface AddedJobOptions {
  input?: Record<string, unknown>;
  signal?: AbortSignal;
}

/** Runs jobs on added models at a fake server that is new for each test. */
export function useAddedFal() {
  let server: FakeUpstreamServer;
  let record: FakeFalRecord;
  let workDir: string;

  beforeEach(async () => {
    record = createFakeFalRecord();
    server = await startFakeUpstream(KEY, (upstream) => createFakeFalHandler(upstream, record));
    server.upstream.outputs = [Buffer.from('output')];
    workDir = await mkdtemp(join(tmpdir(), 'added-fal-'));
  });
  afterEach(async () => {
    await server.close();
    await rm(workDir, { recursive: true });
  });

  const connection = (api_key = KEY): PresetConnection => ({
    address: server.base_url,
    api_key,
    openService: (base_url) => createFetcher().createService(base_url),
    deadlineMs: 60_000,
  });
  const createAdapter = (model: AddedModelVersion) => addedFalModels.createAdapter(connection(), model);

  async function createJob(
    { id, task, version, normalized: { contract } }: AddedModelVersion,
    { input = {}, signal = new AbortController().signal }: AddedJobOptions,
  ): Promise<UpstreamEngineJob> {
    const parsed = parseInput(contract, input, null);
    if (!parsed.ok) return expect.fail(JSON.stringify(parsed.details));
    const references = await Promise.all(
      extractReferences(contract, parsed.input).map(
        async ({ path, url, role, kind, mask }): Promise<ResolvedReference> => {
          const file = join(workDir, `in-${path}`);
          await writeFile(file, path);
          const [mime_type, extension] = FORMATS[kind];
          return {
            path,
            url,
            role,
            mask,
            file,
            media: { kind, mime_type, extension, size_bytes: path.length, ...NO_MEASURES },
          };
        },
      ),
    );
    return {
      generation_id: 'gen_1',
      submit_key: 'gen_1',
      task,
      model: id,
      model_version: version,
      input: parsed.input,
      references,
      workDir,
      signal,
      onProgress: () => undefined,
    };
  }

  async function submit(model: AddedModelVersion, options: AddedJobOptions = {}): Promise<UpstreamHandle> {
    const state = await createAdapter(model).submit(await createJob(model, options));
    return state.status === 'accepted' ? state.handle : expect.fail(state.status);
  }
  const poll = async (
    model: AddedModelVersion,
    handle: UpstreamHandle,
    options: AddedJobOptions = {},
  ): Promise<UpstreamState> => createAdapter(model).poll(await createJob(model, options), handle);
  const setState = (state: 'running' | 'succeeded' | 'failed'): void => {
    for (const job of server.upstream.jobs) job.state = state;
  };

  return {
    connection,
    createAdapter,
    createJob,
    submit,
    poll,
    setState,
    async run(model: AddedModelVersion, input: Record<string, unknown>): Promise<UpstreamState> {
      const handle = await submit(model, { input });
      setState('succeeded');
      return poll(model, handle, { input });
    },
    /** The uploaded file behind a URL that was sent: the path of its field. */
    uploadedAt: (url: unknown): string => String(record.uploads[Number(/in-(\d+)$/.exec(String(url))?.[1])]?.bytes),
    get server() {
      return server;
    },
    get record() {
      return record;
    },
  };
}
