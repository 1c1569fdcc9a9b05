import { mkdtemp, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { createFetcher } from '#server/net/fetcher.ts';
import type { MediaFileInfo } from '#server/media/probe-file.ts';
import type { PresetConnection, PresetModel, ProviderPreset } from '../presets/preset.ts';
import type { UpstreamEngineJob, UpstreamState } from '../upstream.ts';
import { type FakeUpstream, type FakeUpstreamServer, startFakeUpstream } from './fake-upstream-server.ts';
import { walkPreset, type WalkReport, writeReferences } from './preset-walk.ts';

export interface PresetUnderTest {
  preset: ProviderPreset;
  /** Serves the provider's documented protocol. */
  createHandler(upstream: FakeUpstream): RequestListener;
  /** The requests that created jobs, oldest first. */
  requests(): readonly unknown[];
}

const API_KEY = 'key-0123456789-very-secret';

/** Runs a preset against one fake server per test file. Each test begins without jobs and with one output. */
export function useProviderPreset({ preset, createHandler, requests }: PresetUnderTest) {
  let server: FakeUpstreamServer;
  let directory: string;
  let jobs_created = 0;

  beforeAll(async () => {
    server = await startFakeUpstream(API_KEY, createHandler);
    directory = await mkdtemp(join(tmpdir(), `${preset.id}-`));
  });
  afterAll(async () => {
    await server.close();
    await rm(directory, { recursive: true });
  });
  beforeEach(() => {
    server.upstream.jobs.length = 0;
    server.upstream.output_url = null;
    server.upstream.outputs = [Buffer.from('output')];
  });

  const connection = (api_key = API_KEY): PresetConnection => ({
    address: server.base_url,
    api_key,
    openService: (base_url) => createFetcher().createService(base_url),
    deadline_ms: 60_000,
  });
  const createAdapter = ({ task, model, createAdapter: create }: PresetModel) =>
    create(connection(), { task, model, markup_percent: null });
  const completeJobs = () => {
    for (const job of server.upstream.jobs) job.state = 'succeeded';
  };

  async function createJob(
    preset_model: PresetModel,
    input: Record<string, unknown>,
    describeMedia: (path: string) => Partial<MediaFileInfo> = () => ({}),
  ): Promise<UpstreamEngineJob> {
    jobs_created += 1;
    const submit_key = `gen_fixture_${jobs_created}`;
    const references = await writeReferences(preset_model, input, directory, describeMedia);
    const { task, model } = preset_model;
    const signal = new AbortController().signal;
    const ids = { generation_id: submit_key, submit_key, task, model, input };
    return { ...ids, references, work_dir: directory, signal, onProgress: () => undefined };
  }

  return {
    connection,
    createAdapter,
    completeJobs,
    createJob,
    findModel: (task: string, model: string): PresetModel =>
      preset.models.find((entry) => entry.task === task && entry.model === model) ??
      expect.fail(`There is no ${task} on ${model}.`),
    walk: (preset_model: PresetModel): Promise<WalkReport> =>
      walkPreset({ preset_model, adapter: createAdapter(preset_model), directory, completeJobs, requests }),
    /** Submits a job, completes it and polls once. @param onAccepted runs before the poll */
    async finish(
      preset_model: PresetModel,
      input: Record<string, unknown>,
      onAccepted: () => void = () => undefined,
    ): Promise<UpstreamState> {
      const job = await createJob(preset_model, input);
      const state = await createAdapter(preset_model).submit(job);
      if (state.status !== 'accepted') return state;
      completeJobs();
      onAccepted();
      return createAdapter(preset_model).poll(job, state.handle);
    },
    get server() {
      return server;
    },
  };
}
