import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, expect } from 'vitest';
import { createFetcher } from '../net/fetch.ts';
import type { Service } from '../net/service.ts';
import { hangs, openStudio, type Studio, type StudioJob, type StudioServer } from './conformance-studio.ts';
import type { UpstreamAdapter, UpstreamHandle, UpstreamJob, UpstreamState } from './upstream.ts';

export interface UpstreamUnderTest {
  /** A server that keeps to the upstream's documented protocol, and refuses what the upstream would refuse. */
  protocol(studio: Studio): RequestListener;
  /** Outputs above `max_output_bytes` are to be refused. */
  adapter(options: { service: Service; api_key: string; max_output_bytes: number }): UpstreamAdapter;
  /** Work that makes one output, without references. Its submit is the adapter's first request. */
  job: Pick<UpstreamJob, 'task' | 'model' | 'input'>;
  /** The answer to a submit is the result: there is nothing to poll and nothing to cancel. */
  immediate?: boolean;
  /** States in which the upstream can stop a job. */
  cancels?: readonly StudioJob['state'][];
  /** Outputs come as addresses that could lead elsewhere. */
  gives_urls?: boolean;
  /** It has no content filter. */
  never_refuses_content?: boolean;
}

export const API_KEY = 'key-0123456789-very-secret';
export const MAX_OUTPUT_BYTES = 1_000_000;
const SUBMIT_KEY = 'gen_0123456789';

/** A fresh server, adapter and work folder for each test of the suite that calls it. */
export function useUpstreamBench(under_test: UpstreamUnderTest) {
  const { immediate = false } = under_test;
  let server: StudioServer;
  let studio: Studio;
  let adapter: UpstreamAdapter;
  let folder: string;
  let work_dir: string;
  let signal: AbortSignal;
  /** All that came out of the adapter; no key may be in it. */
  let told: unknown[];

  const adapterAt = (base_url: string, api_key = API_KEY): UpstreamAdapter =>
    under_test.adapter({ service: createFetcher().service(base_url), api_key, max_output_bytes: MAX_OUTPUT_BYTES });

  beforeEach(async () => {
    told = [];
    signal = new AbortController().signal;
    folder = await mkdtemp(join(tmpdir(), 'conformance-'));
    work_dir = await freshFolder();
    server = await openStudio(API_KEY, under_test.protocol);
    ({ studio } = server);
    studio.outputs = [randomBytes(200_000)];
    adapter = adapterAt(server.base_url);
  });
  afterEach(async () => {
    await server.close();
    await rm(folder, { recursive: true });
    expect(inspect(told, { depth: 12, maxStringLength: null })).not.toContain(API_KEY);
  });

  async function freshFolder(): Promise<string> {
    const made = join(folder, randomUUID());
    await mkdir(made);
    return made;
  }
  const job = (): UpstreamJob => ({
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
  const accepted = async (): Promise<{ handle: UpstreamHandle; work: StudioJob }> => {
    const state = await submit();
    const [work] = studio.jobs;
    if (state.status !== 'accepted' || !work)
      return expect.fail(`It is ${state.status} with ${studio.jobs.length} jobs.`);
    expect(JSON.parse(JSON.stringify(state.handle))).toEqual(state.handle);
    return { handle: state.handle, work };
  };
  /** From submit to the end, whatever it is; a new work folder for each poll, as after a restart. */
  const finish = async (): Promise<UpstreamState> => {
    if (immediate) return submit();
    const { handle, work } = await accepted();
    if (work.state === 'queued') work.state = 'succeeded';
    let state = await poll(handle);
    // A protocol may tell the end in one answer and the result in the next.
    for (let polls = 1; state.status === 'accepted' && polls < 5; polls += 1) state = await poll(state.handle);
    return state;
  };
  const outputsOf = async (state: UpstreamState): Promise<Buffer[]> => {
    if (state.status !== 'succeeded') return expect.fail(`It is ${state.status}.`);
    expect((await readdir(work_dir)).sort()).toEqual(state.result.files.map((file) => basename(file)).sort());
    return Promise.all(state.result.files.map((file) => readFile(file)));
  };

  async function endsWithReason(work: () => Promise<unknown>): Promise<void> {
    const controller = new AbortController();
    const reason = new Error('No longer wanted');
    ({ signal } = controller);
    server.interfere(hangs(() => controller.abort(reason)));
    await expect(work()).rejects.toBe(reason);
  }

  return {
    adapterAt,
    submit,
    poll,
    cancel,
    accepted,
    finish,
    outputsOf,
    endsWithReason,
    freshFolder,
    setWorkDir: (made: string) => void (work_dir = made),
    saved: () => readdir(work_dir),
    get server() {
      return server;
    },
    get studio() {
      return studio;
    },
    get adapter() {
      return adapter;
    },
  };
}
