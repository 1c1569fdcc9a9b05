import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import type { MediaFileInfo } from '#server/platform/media/probe-file.ts';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import { falPreset } from '#server/models/providers/fal/fal-preset.ts';
import type { PresetConnection } from '#server/models/providers/preset-connection.ts';
import type { UpstreamEngineJob, UpstreamHandle, UpstreamState } from '#server/models/engine/upstream.ts';
import { createFakeFalRecord, type FakeFalRecord } from './fake-fal-record.ts';
import { createFakeFalHandler } from './fake-fal-server.ts';
import { type FakeUpstreamServer, startFakeUpstream } from '#server/models/engine/testing/fake-upstream-server.ts';
import { writeReferences } from '#server/models/engine/testing/preset-walk.ts';

const KEY = 'fal-id:fal-secret';
const INPUT = {
  prompt: 'a pear',
  aspect_ratio: '16:9',
  duration_seconds: 5,
  resolution: '720p',
  generate_audio: true,
  first_frame: null,
  last_frame: null,
};

export const findFalModel = (task: string, model: string) =>
  falPreset.models.find((entry) => entry.task === task && entry.model === model) ?? expect.fail(`${task} ${model}`);
const SEEDANCE = findFalModel('video.create', 'vidmodel-c-2');

interface FalJobOptions {
  presetModel?: typeof SEEDANCE;
  input?: Readonly<Record<string, unknown>>;
  media?: Partial<MediaFileInfo>;
  api_key?: string;
  signal?: AbortSignal;
}

/** Runs jobs of the preset, by default on Seedance 2.0, at a fake server that is new for each test. */
export function useFalPreset() {
  let server: FakeUpstreamServer;
  let record: FakeFalRecord;
  let workDir: string;

  beforeEach(async () => {
    record = createFakeFalRecord();
    server = await startFakeUpstream(KEY, (upstream) => createFakeFalHandler(upstream, record));
    server.upstream.outputs = [Buffer.from('output')];
    workDir = await mkdtemp(join(tmpdir(), 'fal-preset-'));
  });
  afterEach(async () => {
    await server.close();
    await rm(workDir, { recursive: true });
  });

  const connection = (api_key = KEY): PresetConnection => ({
    address: `${server.base_url}/`,
    api_key,
    openService: (base_url) => createFetcher().createService(base_url),
    deadlineMs: 60_000,
  });
  const createAdapter = ({ presetModel = SEEDANCE, api_key }: FalJobOptions = {}) => {
    const { task, model } = presetModel;
    return presetModel.createAdapter(connection(api_key), { task, model, markup_percent: null });
  };
  async function createJob(options: FalJobOptions): Promise<UpstreamEngineJob> {
    const { presetModel = SEEDANCE, media = {}, signal = new AbortController().signal } = options;
    const input = { ...(presetModel === SEEDANCE ? INPUT : {}), ...options.input };
    const references = await writeReferences(presetModel, input, workDir, () => media);
    const { task, model } = presetModel;
    const ids = { generation_id: 'gen_1', submit_key: 'gen_1', task, model, model_version: null, input };
    return { ...ids, references, workDir, signal, onProgress: () => undefined };
  }

  return {
    KEY,
    connection,
    createAdapter,
    async submit(options: FalJobOptions = {}): Promise<UpstreamHandle> {
      const state = await createAdapter(options).submit(await createJob(options));
      return state.status === 'accepted' ? state.handle : expect.fail(state.status);
    },
    poll: async (handle: UpstreamHandle, options: FalJobOptions = {}): Promise<UpstreamState> =>
      createAdapter(options).poll(await createJob(options), handle),
    cancel: (handle: UpstreamHandle) => createAdapter().cancel(handle, new AbortController().signal),
    setState(state: 'running' | 'succeeded' | 'failed'): void {
      for (const job of server.upstream.jobs) job.state = state;
    },
    /** Serves some requests before the next fault. */
    skipRequests(count: number): void {
      for (let at = 0; at < count; at += 1) server.injectFault((_request, _response, serve) => serve());
    },
    get server() {
      return server;
    },
    get record() {
      return record;
    },
  };
}
