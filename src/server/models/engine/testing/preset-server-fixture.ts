import { mkdtemp, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { MediaFileInfo } from '#server/platform/media/probe-file.ts';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import { createDirectService } from './direct-service.ts';
import type { PresetModel } from '#server/models/providers/preset.ts';
import type { PresetConnection } from '#server/models/providers/preset-connection.ts';
import type { UpstreamEngineJob } from '#server/models/engine/upstream.ts';
import { type FakeUpstream, type FakeUpstreamServer, startFakeUpstream } from './fake-upstream-server.ts';
import { writeReferences } from './preset-walk.ts';

interface PresetJobOptions {
  signal?: AbortSignal;
  submit_key?: string;
  /** Differences of the references from those of `writeReferences`, by the path of their field. */
  describeMedia?: ((path: string) => Partial<MediaFileInfo>) | undefined;
}

/** A fake server of a provider and a directory for files, one for all tests of a file. */
export function usePresetServer(
  api_key: string,
  createHandler: (upstream: FakeUpstream) => RequestListener,
  resetUpstream: (upstream: FakeUpstream) => void = () => undefined,
) {
  let server: FakeUpstreamServer;
  let directory: string;
  const shapes = new Set<string>();
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
    resetUpstream(server.upstream);
  });

  const connect = (key = api_key): PresetConnection => ({
    api_key: key,
    address: server.base_url,
    openService: (base_url) => createFetcher().createService(base_url),
    deadlineMs: 60_000,
  });

  return {
    connect,
    /** For many requests; see `createDirectService`. */
    connectDirectly: (): PresetConnection => ({
      ...connect(),
      openService: (base_url) => createDirectService(createFetcher().createService(base_url), server.listener, shapes),
    }),
    async createJob(
      { task, model }: Pick<PresetModel, 'task' | 'model'>,
      input: Record<string, unknown>,
      { signal = new AbortController().signal, submit_key = 'gen_1', describeMedia }: PresetJobOptions = {},
    ): Promise<UpstreamEngineJob> {
      const references = await writeReferences({ task, model }, input, directory, describeMedia);
      const ids = { generation_id: submit_key, submit_key, task, model, input };
      return { ...ids, references, workDir: directory, signal, onProgress: () => undefined };
    },
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
