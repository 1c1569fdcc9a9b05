import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, expect } from 'vitest';
import { createFetcher } from '#server/net/fetcher.ts';
import type { RemoteService } from '#server/net/remote-service.ts';
import {
  neverRespond,
  startFakeUpstream,
  type FakeUpstream,
  type FakeUpstreamJob,
  type FakeUpstreamServer,
} from './fake-upstream-server.ts';
import type { UpstreamAdapter, UpstreamHandle, UpstreamEngineJob, UpstreamState } from '../upstream.ts';

export interface UpstreamUnderTest {
  /** A server that keeps to the upstream's documented protocol, and refuses what the upstream would refuse. */
  createHandler(studio: FakeUpstream): RequestListener;
  /** Outputs above `max_output_bytes` are to be refused. */
  createAdapter(options: { service: RemoteService; api_key: string; max_output_bytes: number }): UpstreamAdapter;
  /** Work that makes one output, without references. Its submit is the adapter's first request. */
  job: Pick<UpstreamEngineJob, 'task' | 'model' | 'input'>;
  /** The answer to a submit is the result: there is nothing to poll and nothing to cancel. */
  immediate?: boolean;
  /** States in which the upstream can stop a job. */
  cancelable_states?: readonly FakeUpstreamJob['state'][];
  /** Outputs come as addresses that could lead elsewhere. */
  returns_urls?: boolean;
  /** It has no content filter. */
  has_no_content_filter?: boolean;
}

export const UPSTREAM_API_KEY = 'key-0123456789-very-secret';
export const MAX_OUTPUT_BYTES = 1_000_000;
const SUBMIT_KEY = 'gen_0123456789';

/** A fresh server, adapter and work folder for each test of the suite that calls it. */
export function useUpstreamFixture(under_test: UpstreamUnderTest) {
  const { immediate = false } = under_test;
  let server: FakeUpstreamServer;
  let upstream: FakeUpstream;
  let adapter: UpstreamAdapter;
  let folder: string;
  let work_dir: string;
  let signal: AbortSignal;
  /** All that came out of the adapter; no key may be in it. */
  let told: unknown[];

  const createAdapter = (base_url: string, api_key = UPSTREAM_API_KEY): UpstreamAdapter =>
    under_test.createAdapter({
      service: createFetcher().createService(base_url),
      api_key,
      max_output_bytes: MAX_OUTPUT_BYTES,
    });

  beforeEach(async () => {
    told = [];
    signal = new AbortController().signal;
    folder = await mkdtemp(join(tmpdir(), 'conformance-'));
    work_dir = await createWorkDir();
    server = await startFakeUpstream(UPSTREAM_API_KEY, under_test.createHandler);
    upstream = server.upstream;
    upstream.outputs = [randomBytes(200_000)];
    adapter = createAdapter(server.base_url);
  });
  afterEach(async () => {
    await server.close();
    await rm(folder, { recursive: true });
    expect(inspect(told, { depth: 12, maxStringLength: null })).not.toContain(UPSTREAM_API_KEY);
  });

  async function createWorkDir(): Promise<string> {
    const made = join(folder, randomUUID());
    await mkdir(made);
    return made;
  }
  const job = (): UpstreamEngineJob => ({
    ...under_test.job,
    generation_id: SUBMIT_KEY,
    submit_key: SUBMIT_KEY,
    references: [],
    work_dir,
    signal,
    onProgress: () => undefined,
  });
  const tell = async <T>(asked: Promise<T>): Promise<T> => {
    try {
      const got = await asked;
      told.push(got);
      return got;
    } catch (error) {
      told.push(error);
      throw error;
    }
  };
  const submit = (by = adapter): Promise<UpstreamState> => tell(by.submit(job()));
  const poll = (handle: UpstreamHandle, by = adapter): Promise<UpstreamState> => {
    const { references: _, ...polled } = job();
    return tell(by.poll(polled, JSON.parse(JSON.stringify(handle))));
  };
  const cancel = (handle: UpstreamHandle): Promise<void> =>
    tell(adapter.cancel(JSON.parse(JSON.stringify(handle)), signal));
  const submitAccepted = async (): Promise<{ handle: UpstreamHandle; work: FakeUpstreamJob }> => {
    const state = await submit();
    const [work] = upstream.jobs;
    if (state.status !== 'accepted' || !work)
      return expect.fail(`It is ${state.status} with ${upstream.jobs.length} jobs.`);
    expect(JSON.parse(JSON.stringify(state.handle))).toEqual(state.handle);
    return { handle: state.handle, work };
  };
  /** From submit to the end, whatever it is; a new work folder for each poll, as after a restart. */
  const runToCompletion = async (): Promise<UpstreamState> => {
    if (immediate) return submit();
    const { handle, work } = await submitAccepted();
    if (work.state === 'queued') work.state = 'succeeded';
    let state = await poll(handle);
    // A protocol may tell the end in one answer and the result in the next.
    for (let polls = 1; state.status === 'accepted' && polls < 5; polls += 1) state = await poll(state.handle);
    return state;
  };
  const readOutputs = async (state: UpstreamState): Promise<Buffer[]> => {
    if (state.status !== 'succeeded') return expect.fail(`It is ${state.status}.`);
    expect((await readdir(work_dir)).sort()).toEqual(state.result.files.map((file) => basename(file)).sort());
    return Promise.all(state.result.files.map((file) => readFile(file)));
  };

  async function expectAbortReason(work: () => Promise<unknown>): Promise<void> {
    const controller = new AbortController();
    const reason = new Error('No longer wanted');
    ({ signal } = controller);
    server.injectFault(neverRespond(() => controller.abort(reason)));
    await expect(work()).rejects.toBe(reason);
  }

  return {
    adapterAt: createAdapter,
    submit,
    poll,
    cancel,
    accepted: submitAccepted,
    finish: runToCompletion,
    outputsOf: readOutputs,
    endsWithReason: expectAbortReason,
    freshFolder: createWorkDir,
    setWorkDir: (made: string) => void (work_dir = made),
    listSavedFiles: () => readdir(work_dir),
    get server() {
      return server;
    },
    get studio() {
      return upstream;
    },
    get adapter() {
      return adapter;
    },
  };
}
