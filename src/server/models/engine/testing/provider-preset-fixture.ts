import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { expect } from 'vitest';
import type { MediaFileInfo } from '#server/platform/media/probe-file.ts';
import type { PresetModel, ProviderPreset } from '#server/models/providers/preset.ts';
import type { UpstreamEngineJob, UpstreamState } from '#server/models/engine/upstream.ts';
import type { FakeUpstream } from './fake-upstream-server.ts';
import { usePresetServer } from './preset-server-fixture.ts';
import { walkPreset, type WalkReport } from './preset-walk.ts';

export interface PresetUnderTest {
  preset: ProviderPreset;
  /** Serves the provider's documented protocol. */
  createHandler(upstream: FakeUpstream): RequestListener;
  /** The requests that created jobs, oldest first, without the first `from`. */
  requests(from: number): readonly unknown[];
}

const API_KEY = 'key-0123456789-very-secret';

function resetUpstream(upstream: FakeUpstream): void {
  upstream.jobs.length = 0;
  upstream.output_url = null;
  upstream.outputs = [Buffer.from('output')];
}

/** Runs a preset against one fake server per test file. Each test begins without jobs and with one output. */
export function useProviderPreset({ preset, createHandler, requests }: PresetUnderTest) {
  const bench = usePresetServer(API_KEY, createHandler, resetUpstream);
  const { connect, completeJobs } = bench;

  const createAdapter = ({ task, model, createAdapter: create }: PresetModel, connection = connect()) =>
    create(connection, { task, model, markup_percent: null });
  const createJob = (
    presetModel: PresetModel,
    input: Record<string, unknown>,
    describeMedia?: (path: string) => Partial<MediaFileInfo>,
  ): Promise<UpstreamEngineJob> => {
    return bench.createJob(presetModel, input, { submit_key: `gen_${randomUUID()}`, describeMedia });
  };

  return {
    connection: connect,
    createAdapter: (presetModel: PresetModel) => createAdapter(presetModel),
    completeJobs,
    createJob,
    findModel: (task: string, model: string): PresetModel =>
      preset.models.find((entry) => entry.task === task && entry.model === model) ??
      expect.fail(`There is no ${task} on ${model}.`),
    walk: (presetModel: PresetModel): Promise<WalkReport> =>
      walkPreset({
        presetModel,
        adapter: createAdapter(presetModel, bench.connectDirectly()),
        directory: bench.directory,
        completeJobs,
        requests,
      }),
    /** Submits a job, completes it and polls once. @param onAccepted runs before the poll */
    async finish(
      presetModel: PresetModel,
      input: Record<string, unknown>,
      onAccepted: () => void = () => undefined,
    ): Promise<UpstreamState> {
      const job = await createJob(presetModel, input);
      const state = await createAdapter(presetModel).submit(job);
      if (state.status !== 'accepted') return state;
      completeJobs();
      onAccepted();
      return createAdapter(presetModel).poll(job, state.handle);
    },
    get server() {
      return bench.server;
    },
  };
}
