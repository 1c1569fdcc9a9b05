import { mkdtemp, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { ModelId, TaskId } from '#contract/ids.ts';
import type { MediaFileInfo } from '#server/media/probe-file.ts';
import { createFetcher } from '#server/net/fetcher.ts';
import type { PresetConnection, ProviderPreset } from '../presets/preset.ts';
import { findPresetModel } from '../presets/presets.ts';
import type { UpstreamAdapter, UpstreamEngineJob, UpstreamState } from '../upstream.ts';
import { type FakeUpstream, type FakeUpstreamServer, startFakeUpstream } from './fake-upstream-server.ts';
import { writeReferences } from './preset-walk.ts';

export interface SubmitOptions {
  task?: TaskId;
  model: ModelId;
  api_key?: string;
  signal?: AbortSignal;
  /** Differences of the references from those of `writeReferences`. */
  media?: Partial<MediaFileInfo>;
}

/** A preset whose provider is a fake server, one for all tests of a file. */
export function usePresetFixture(
  preset: ProviderPreset,
  api_key: string,
  createHandler: (upstream: FakeUpstream) => RequestListener,
) {
  let server: FakeUpstreamServer;
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'preset-'));
    server = await startFakeUpstream(api_key, createHandler);
  });
  afterAll(async () => {
    await server.close();
    await rm(directory, { recursive: true });
  });
  beforeEach(() => {
    server.upstream.refuses_content = false;
  });

  const connect = (key = api_key): PresetConnection => ({
    api_key: key,
    address: server.base_url,
    openService: (base_url) => createFetcher().createService(base_url),
    deadline_ms: 60_000,
  });
  const createAdapter = ({ task = 'image.create', model, api_key: key }: SubmitOptions): UpstreamAdapter => {
    const preset_model = findPresetModel(preset, task, model);
    if (!preset_model) throw new Error(`The preset does not run ${task} on ${model}.`);
    return preset_model.createAdapter(connect(key), {
      task,
      model,
      provider_model: 'local-painter',
      markup_percent: null,
    });
  };
  const createJob = async (input: Record<string, unknown>, options: SubmitOptions): Promise<UpstreamEngineJob> => {
    const { task = 'image.create', model, signal = new AbortController().signal, media = {} } = options;
    const references = await writeReferences({ task, model }, input, directory, () => media);
    const ids = { generation_id: 'gen_1', submit_key: 'gen_1', task, model, input };
    return { ...ids, references, work_dir: directory, signal, onProgress: () => undefined };
  };
  const submit = async (input: Record<string, unknown>, options: SubmitOptions): Promise<UpstreamState> =>
    createAdapter(options).submit(await createJob({ prompt: 'A cat', ...input }, options));

  return {
    connect,
    createAdapter,
    createJob,
    submit,
    check: (key = api_key) => preset.check(connect(key), new AbortController().signal),
    completeJobs: () => {
      for (const job of server.upstream.jobs) job.state = 'succeeded';
    },
    get server() {
      return server;
    },
    get directory() {
      return directory;
    },
  };
}
