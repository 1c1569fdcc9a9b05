import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, expect } from 'vitest';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import type { RemoteService } from '#server/platform/net/remote-service.ts';
import {
  neverRespond,
  startFakeUpstream,
  type FakeUpstream,
  type FakeUpstreamJob,
  type FakeUpstreamServer,
} from './fake-upstream-server.ts';
import type { UpstreamCost } from '#server/models/engine/engine.ts';
import { handleRequestId } from '#server/models/engine/request-id.ts';
import type {
  UpstreamAdapter,
  UpstreamHandle,
  UpstreamEngineJob,
  UpstreamState,
} from '#server/models/engine/upstream.ts';

export interface UpstreamUnderTest {
  /** Serves the provider's documented protocol and rejects what the provider would reject. */
  createHandler(upstream: FakeUpstream): RequestListener;
  /** The adapter must reject outputs above `max_output_bytes`. */
  createAdapter(options: { service: RemoteService; api_key: string; max_output_bytes: number }): UpstreamAdapter;
  /** A job with one output and no references. Its submit is the adapter's first request. */
  job: Pick<UpstreamEngineJob, 'task' | 'model' | 'input'>;
  /** The response to submit is the result: nothing is polled or canceled. */
  immediate?: boolean;
  cancelable_states?: readonly FakeUpstreamJob['state'][];
  /** Outputs are URLs that could point elsewhere. */
  returns_urls?: boolean;
  has_no_content_filter?: boolean;
}

export const UPSTREAM_API_KEY = 'key-0123456789-very-secret';
export const MAX_OUTPUT_BYTES = 1_000_000;
const SUBMIT_KEY = 'gen_0123456789';

export function useUpstreamFixture(underTest: UpstreamUnderTest) {
  const { immediate = false } = underTest;
  let server: FakeUpstreamServer;
  let upstream: FakeUpstream;
  let adapter: UpstreamAdapter;
  let folder: string;
  let workDir: string;
  let signal: AbortSignal;
  /** Everything that the adapter returned or threw; no key may be in it. */
  let observed: unknown[];
  /** Ids of requests that have no handle. */
  let requestIds: unknown[];

  const createAdapter = (base_url: string, api_key = UPSTREAM_API_KEY): UpstreamAdapter =>
    underTest.createAdapter({
      service: createFetcher().createService(base_url),
      api_key,
      max_output_bytes: MAX_OUTPUT_BYTES,
    });

  beforeEach(async () => {
    observed = [];
    requestIds = [];
    signal = new AbortController().signal;
    folder = await mkdtemp(join(tmpdir(), 'conformance-'));
    workDir = await createWorkDir();
    server = await startFakeUpstream(UPSTREAM_API_KEY, underTest.createHandler);
    upstream = server.upstream;
    upstream.outputs = [randomBytes(200_000)];
    adapter = createAdapter(server.base_url);
  });
  afterEach(async () => {
    await server.close();
    await rm(folder, { recursive: true });
    expect(inspect(observed, { depth: 12, maxStringLength: null })).not.toContain(UPSTREAM_API_KEY);
  });

  async function createWorkDir(): Promise<string> {
    const dir = join(folder, randomUUID());
    await mkdir(dir);
    return dir;
  }
  const job = (): UpstreamEngineJob => ({
    ...underTest.job,
    generation_id: SUBMIT_KEY,
    submit_key: SUBMIT_KEY,
    references: [],
    workDir,
    signal,
    onProgress: () => undefined,
    onRequestId: (id) => void requestIds.push(id),
  });
  const observe = async <T>(pending: Promise<T>): Promise<T> => {
    try {
      const result = await pending;
      observed.push(result);
      return result;
    } catch (error) {
      observed.push(error);
      throw error;
    }
  };
  const submit = (target = adapter): Promise<UpstreamState> => observe(target.submit(job()));
  const poll = (handle: UpstreamHandle, target = adapter): Promise<UpstreamState> => {
    const { references: _, ...polled } = job();
    return observe(target.poll(polled, JSON.parse(JSON.stringify(handle))));
  };
  const cancel = (handle: UpstreamHandle): Promise<UpstreamCost | void> =>
    observe(adapter.cancel(JSON.parse(JSON.stringify(handle)), signal));
  const submitAccepted = async (): Promise<{ handle: UpstreamHandle; work: FakeUpstreamJob }> => {
    const state = await submit();
    const [work] = upstream.jobs;
    if (state.status !== 'accepted' || !work)
      return expect.fail(`The status is ${state.status} with ${upstream.jobs.length} jobs.`);
    expect(JSON.parse(JSON.stringify(state.handle))).toEqual(state.handle);
    return { handle: state.handle, work };
  };
  const runToCompletion = async (): Promise<UpstreamState> => {
    if (immediate) return submit();
    const { handle, work } = await submitAccepted();
    if (work.state === 'queued') work.state = 'succeeded';
    let state = await poll(handle);
    // A protocol may report completion in one response and the result in the next.
    for (let polls = 1; state.status === 'accepted' && polls < 5; polls += 1) state = await poll(state.handle);
    return state;
  };
  const readOutputs = async (state: UpstreamState): Promise<Buffer[]> => {
    if (state.status !== 'succeeded') return expect.fail(`The status is ${state.status}.`);
    expect((await readdir(workDir)).sort()).toEqual(state.result.files.map((file) => basename(file)).sort());
    return Promise.all(state.result.files.map((file) => readFile(file)));
  };

  /** The id under which the provider bills the job that a submit returned. */
  const readRequestId = (state: UpstreamState): unknown =>
    state.status === 'accepted' ? handleRequestId(state.handle) : requestIds.at(-1);

  async function expectAbortReason(work: () => Promise<unknown>): Promise<void> {
    const controller = new AbortController();
    const reason = new Error('No longer wanted');
    ({ signal } = controller);
    server.injectFault(neverRespond(() => controller.abort(reason)));
    await expect(work()).rejects.toBe(reason);
  }

  return {
    createAdapter,
    submit,
    poll,
    cancel,
    submitAccepted,
    runToCompletion,
    readOutputs,
    readRequestId,
    expectAbortReason,
    createWorkDir,
    setWorkDir: (dir: string) => void (workDir = dir),
    listSavedFiles: () => readdir(workDir),
    get server() {
      return server;
    },
    get upstream() {
      return upstream;
    },
    get adapter() {
      return adapter;
    },
  };
}
