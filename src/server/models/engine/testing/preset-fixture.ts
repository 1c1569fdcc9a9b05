import type { RequestListener } from 'node:http';
import type { ModelId, TaskId } from '#contract/ids.ts';
import type { MediaFileInfo } from '#server/platform/media/probe-file.ts';
import type { ProviderPreset } from '#server/models/providers/preset.ts';
import { findPresetModel } from '#server/models/providers/presets.ts';
import type { UpstreamAdapter, UpstreamEngineJob, UpstreamState } from '#server/models/engine/upstream.ts';
import type { FakeUpstream } from './fake-upstream-server.ts';
import { usePresetServer } from './preset-server-fixture.ts';

export interface SubmitOptions {
  task?: TaskId;
  model: ModelId;
  api_key?: string;
  signal?: AbortSignal;
  /** Calls the fake server in this process; see `createDirectService`. */
  is_direct?: boolean;
  /** Differences of the references from those of `writeReferences`. */
  media?: Partial<MediaFileInfo>;
}

/** A preset whose provider is a fake server, one for all tests of a file. */
export function usePresetFixture(
  preset: ProviderPreset,
  api_key: string,
  createHandler: (upstream: FakeUpstream) => RequestListener,
) {
  const bench = usePresetServer(api_key, createHandler);
  const { connect, completeJobs } = bench;
  const createAdapter = ({ task = 'image.create', model, api_key: key, is_direct }: SubmitOptions): UpstreamAdapter => {
    const presetModel = findPresetModel(preset, task, model);
    if (!presetModel) throw new Error(`The preset does not run ${task} on ${model}.`);
    return presetModel.createAdapter(is_direct ? bench.connectDirectly() : connect(key), {
      task,
      model,
      provider_model: 'local-painter',
      markup_percent: null,
    });
  };
  const createJob = (
    input: Record<string, unknown>,
    { task = 'image.create', model, signal, media = {} }: SubmitOptions,
  ): Promise<UpstreamEngineJob> =>
    bench.createJob({ task, model }, input, { ...(signal ? { signal } : {}), describeMedia: () => media });
  const submit = async (input: Record<string, unknown>, options: SubmitOptions): Promise<UpstreamState> =>
    createAdapter(options).submit(await createJob({ prompt: 'A cat', ...input }, options));

  return {
    connect,
    createAdapter,
    createJob,
    submit,
    check: (key = api_key) => preset.check(connect(key), new AbortController().signal),
    completeJobs,
    get server() {
      return bench.server;
    },
    get directory() {
      return bench.directory;
    },
  };
}
