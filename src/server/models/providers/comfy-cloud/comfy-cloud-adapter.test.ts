import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import { createWorkflowBuilder } from '#server/models/providers/comfyui/workflow-builder.ts';
import { sampleComfyUiWorkflow } from '#server/models/providers/comfyui/testing/comfyui-fixture.ts';
import {
  createFakeComfyCloudHandler,
  createFakeComfyCloudState,
  type FakeComfyCloudState,
} from './testing/fake-comfy-cloud-server.ts';
import {
  type FakeUpstreamServer,
  respondWith,
  startFakeUpstream,
  truncateResponse,
} from '#server/models/engine/testing/fake-upstream-server.ts';
import { describeUpstreamConformance } from '#server/models/engine/testing/upstream-conformance.ts';
import type { UpstreamEngineJob } from '#server/models/engine/upstream.ts';
import { createComfyCloudAdapter } from './comfy-cloud-adapter.ts';

const buildWorkflow = createWorkflowBuilder(sampleComfyUiWorkflow);

describeUpstreamConformance('comfy-cloud', {
  createHandler: createFakeComfyCloudHandler,
  createAdapter: (options) => createComfyCloudAdapter({ ...options, buildWorkflow }),
  job: { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'a pear' } },
  cancelable_states: ['queued', 'running'],
  has_no_content_filter: true,
});

describe('Comfy Cloud', () => {
  const KEY = 'comfyui-0123456789';
  let server: FakeUpstreamServer;
  let cloud: FakeComfyCloudState;
  let workDir: string;
  beforeEach(async () => {
    cloud = createFakeComfyCloudState();
    server = await startFakeUpstream(KEY, (upstream) => createFakeComfyCloudHandler(upstream, cloud));
    server.upstream.outputs = [randomBytes(100)];
    workDir = await mkdtemp(join(tmpdir(), 'comfy-cloud-'));
  });
  afterEach(async () => {
    await server.close();
    await rm(workDir, { recursive: true });
  });

  const createAdapter = () =>
    createComfyCloudAdapter({ service: createFetcher().createService(server.base_url), api_key: KEY, buildWorkflow });
  const job = (submit_key = 'gen_1'): UpstreamEngineJob => ({
    generation_id: submit_key,
    submit_key,
    task: 'image.create',
    model: 'imgmodel-a-2',
    model_version: null,
    input: { prompt: 'a pear' },
    references: [],
    workDir,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  async function submit(submit_key?: string) {
    const state = await createAdapter().submit(job(submit_key));
    return state.status === 'accepted' ? state.handle : expect.fail(`The status is ${state.status}.`);
  }
  const workOf = (index: number) => cloud.prompts[index]?.job ?? expect.fail('There is no such job.');

  it('sends the key for partner nodes', async () => {
    await submit();
    expect(cloud.prompts[0]?.extra_data).toEqual({ api_key_comfy_org: KEY });
  });

  it('counts the jobs of the account that are ahead', async () => {
    await submit('gen_2');
    const handle = await submit();
    expect(await createAdapter().poll(job(), handle)).toMatchObject({ provider_status: { queue_position: 1 } });
    workOf(1).state = 'running';
    expect(await createAdapter().poll(job(), handle)).toMatchObject({ provider_status: { queue_position: null } });
  });

  it('understands the states of the guide', async () => {
    cloud.uses_guide_states = true;
    const handle = await submit();
    for (const state of ['queued', 'running'] as const) {
      workOf(0).state = state;
      expect(await createAdapter().poll(job(), handle)).toMatchObject({ status: 'accepted' });
    }
    workOf(0).state = 'succeeded';
    expect(await createAdapter().poll(job(), handle)).toMatchObject({ status: 'succeeded' });
  });

  it('reports why the job failed', async () => {
    const handle = await submit();
    workOf(0).state = 'failed';
    await expect(createAdapter().poll(job(), handle)).rejects.toThrow('ComfyUI failed at node 3 (KSampler): Broken.');
  });

  it('finds a job whose response was lost, and no other', async () => {
    const find = (submit_key: string) =>
      createAdapter().findLostSubmit?.({ ...job(submit_key), submitted_at: new Date() });
    await submit('gen_2');
    server.injectFault(truncateResponse);
    await expect(submit()).rejects.toMatchObject({ name: 'ResponseLostError' });
    expect(await find('gen_1')).toEqual({ prompt_id: workOf(1).id });
    expect(await find('gen_3')).toBeNull();
    await submit();
    expect(await find('gen_1')).toBeNull();
  });

  it('cancels a pending job of its own on older versions', async () => {
    cloud.has_jobs_cancel = false;
    const handle = await submit();
    await submit('gen_2');
    workOf(1).state = 'running';
    await createAdapter().cancel(handle, new AbortController().signal);
    expect([workOf(0).state, workOf(1).state]).toEqual(['canceled', 'running']);
  });

  it.each([
    [402, 'The provider account has no credit left. Ask the operator to top it up.'],
    [429, 'Comfy Cloud needs an active subscription. Ask the operator to check the account.'],
  ])('reports an account that cannot pay: %s', async (status, message) => {
    const body = JSON.stringify({ code: 'PAYMENT_REQUIRED', message: 'Your subscription is inactive' });
    server.injectFault(respondWith(status, body));
    await expect(submit()).rejects.toMatchObject({ code: 'model_unavailable', message });
  });
});
