import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFetcher } from '#server/net/fetcher.ts';
import {
  createFakeReplicateHandler,
  createFakeReplicateState,
  type FakeReplicateState,
} from '../testing/fake-replicate-server.ts';
import {
  type FakeUpstreamServer,
  respondWith,
  startFakeUpstream,
  truncateResponse,
} from '../testing/fake-upstream-server.ts';
import type { UpstreamEngineJob } from '../upstream.ts';
import { createReplicateAdapter } from './replicate-adapter.ts';

const MODEL = 'acme/painter';
const input = { prompt: 'a pear' };
const job: UpstreamEngineJob = {
  generation_id: 'gen_1',
  submit_key: 'gen_1',
  task: 'image.create',
  model: 'imgmodel-a-2',
  input,
  references: [],
  work_dir: tmpdir(),
  signal: new AbortController().signal,
  onProgress: () => undefined,
};

let server: FakeUpstreamServer;
let account: FakeReplicateState;
beforeEach(async () => {
  account = { ...createFakeReplicateState(), lists_predictions: true };
  server = await startFakeUpstream('r8_secret', (upstream) => createFakeReplicateHandler(upstream, account));
});
afterEach(() => server.close());

const adapter = () =>
  createReplicateAdapter({
    service: createFetcher().createService(server.base_url),
    api_key: 'r8_secret',
    model: MODEL,
    buildInput: () => input,
  });

describe('a submit whose response is lost', () => {
  const lose = () => server.injectFault(truncateResponse);
  const lost = { name: 'ResponseLostError' };
  it('is found in the list of predictions', async () => {
    lose();
    const state = await adapter().submit(job);
    expect(state).toMatchObject({ handle: { prediction_id: server.upstream.jobs[0]?.id } });
    expect(server.upstream.jobs).toHaveLength(1);
  });

  it('is not taken for an equal one of the same process', async () => {
    const replicate = adapter();
    await replicate.submit(job);
    server.injectFault(respondWith(502, ''));
    await expect(replicate.submit(job)).rejects.toMatchObject(lost);
  });

  it.each([
    ['two are equal', () => void server.upstream.createJob(null), { model: MODEL, input }],
    ['the input differs', () => undefined, { input: { prompt: 'an apple' } }],
    ['the model differs', () => undefined, { model: 'acme/sculptor' }],
  ])('stays lost if %s', async (_name, prepare, overrides) => {
    prepare();
    account.overrides = overrides;
    lose();
    await expect(adapter().submit(job)).rejects.toMatchObject(lost);
  });

  it('stays lost if the list cannot be read', async () => {
    lose();
    server.injectFault(respondWith(500, 'oops'));
    await expect(adapter().submit(job)).rejects.toMatchObject(lost);
  });
});
