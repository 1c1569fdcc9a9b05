import { describe, expect, it } from 'vitest';
import { UnfetchedOutputError } from '#server/models/engine/unfetched-output.ts';
import { respondWith } from '#server/models/engine/testing/fake-upstream-server.ts';
import { comfyUiNode, useComfyUiFixture, sampleComfyUiWorkflow } from './testing/comfyui-fixture.ts';
import type { FakeComfyUiState } from './testing/fake-comfyui-server.ts';

const bench = useComfyUiFixture();
const { createAdapter, createJob, acceptedHandle, getOnlyPrompt, pollAfter } = bench;

describe('polling ComfyUI', () => {
  const finished = { value: 1, max: 1, state: 'finished' };
  const nodes = { '4': finished, '6': finished, '5': finished, '3': { value: 10, max: 20, state: 'running' } };
  it.each<[string, unknown[] | null, number | null, string | null]>([
    ['the websocket', [{ type: 'progress_state', data: { prompt_id: 'ours', nodes } }], 13 / 25, 'KSampler'],
    ['nothing without a websocket', null, null, null],
  ])('reads progress from %s', async (_name, events, progress, stage) => {
    const handle = acceptedHandle(await createAdapter().submit(createJob()));
    const { id, job: work } = getOnlyPrompt();
    work.state = 'running';
    bench.state.websocket_messages = events && [
      { type: 'executing', data: { node: '3' } },
      ...JSON.parse(JSON.stringify(events).replace('ours', id)),
    ];
    expect(await createAdapter().poll(createJob(), handle)).toEqual({
      status: 'accepted',
      handle,
      progress,
      provider_status: { queue_position: null, stage },
    });
  });

  it('counts the prompts ahead', async () => {
    await createAdapter().submit(createJob({ submit_key: 'gen_2' }));
    const handle = acceptedHandle(await createAdapter().submit(createJob()));
    const position = async () => {
      const state = await createAdapter().poll(createJob(), handle);
      return state.status === 'accepted' && state.provider_status;
    };
    expect(await position()).toEqual({ queue_position: 1, stage: null });
    const [other] = bench.state.prompts;
    if (other) other.job.state = 'succeeded';
    expect(await position()).toEqual({ queue_position: 0, stage: null });
  });

  it('rejects with the abort reason while reading progress', async () => {
    const handle = acceptedHandle(await createAdapter().submit(createJob()));
    getOnlyPrompt().job.state = 'running';
    const controller = new AbortController();
    bench.server.injectFault((_request, _response, serve) => serve());
    bench.server.injectFault(() => controller.abort(new Error('No longer wanted')));
    await expect(createAdapter().poll(createJob({ signal: controller.signal }), handle)).rejects.toThrow(
      'No longer wanted',
    );
  });

  it('returns the files of the last node that saved an output', async () => {
    const more = {
      ...sampleComfyUiWorkflow,
      '10': comfyUiNode('SaveImage', { images: ['8', 0], filename_prefix: 'late' }),
      '12:3': comfyUiNode('PreviewImage', { images: ['8', 0] }),
    };
    expect(await pollAfter('succeeded', { workflow: more })).toMatchObject({
      status: 'succeeded',
      cost_micro_usd: null,
    });
    expect(bench.state.views).toEqual([{ filename: '10_0_.png', subfolder: 'created here', type: 'output' }]);
  });

  it('returns the files of `output_node`, previews included', async () => {
    const more = { ...sampleComfyUiWorkflow, '12:3': comfyUiNode('PreviewImage', { images: ['8', 0] }) };
    await pollAfter('succeeded', { workflow: more, output_node: '12:3' });
    expect(bench.state.views).toEqual([{ filename: '12:3_0_.png', subfolder: 'created here', type: 'temp' }]);
  });

  it('is unclear when `output_node` saved no file', async () => {
    const state = await pollAfter('succeeded', { output_node: '77' });
    expect(state).toMatchObject({ status: 'unclear', reason: expect.stringContaining('node 77') });
  });

  it('needs a review when the file no longer exists', async () => {
    const handle = acceptedHandle(await createAdapter().submit(createJob()));
    getOnlyPrompt().job.state = 'succeeded';
    for (let request = 1; request <= 2; request += 1) bench.server.injectFault((_request, _response, serve) => serve());
    bench.server.injectFault(respondWith(404, ''));
    await expect(createAdapter().poll(createJob(), handle)).rejects.toBeInstanceOf(UnfetchedOutputError);
  });

  it('is unclear when a restart cleared the history', async () => {
    const handle = acceptedHandle(await createAdapter().submit(createJob()));
    bench.state.prompts = [];
    const state = await createAdapter().poll(createJob(), handle);
    expect(state).toMatchObject({ status: 'unclear', reason: expect.stringContaining('restarted'), result: null });
  });

  it.each<[string, FakeComfyUiState['exception'], string, boolean]>([
    [
      'an exception',
      { message: 'mat1 and mat2 shapes cannot be multiplied\n', type: 'RuntimeError' },
      'ComfyUI failed at node 3 (KSampler): mat1 and mat2 shapes cannot be multiplied.',
      false,
    ],
    [
      'no memory',
      { message: 'Allocation on device 0 would exceed allowed memory.', type: 'torch.OutOfMemoryError' },
      'ComfyUI ran out of graphics memory. Try a smaller size or fewer references.',
      true,
    ],
  ])('reports why the prompt failed: %s', async (_name, exception, message, retryable) => {
    bench.state.exception = exception;
    await expect(pollAfter('failed')).rejects.toMatchObject({ name: 'EngineError', message, retryable });
  });
});

describe('canceling in ComfyUI', () => {
  it('does not interrupt another prompt', async () => {
    bench.state.is_legacy = true;
    const ours = acceptedHandle(await createAdapter().submit(createJob()));
    await createAdapter().submit(createJob({ submit_key: 'gen_2' }));
    const [waiting, other] = bench.state.prompts;
    if (!waiting || !other) return expect.fail();
    other.job.state = 'running';
    await createAdapter().cancel(ours, new AbortController().signal);
    expect([waiting.job.state, other.job.state]).toEqual(['canceled', 'running']);
    expect(bench.state.interrupts).toEqual([]);
  });

  it('uses the jobs API where there is one', async () => {
    const handle = acceptedHandle(await createAdapter().submit(createJob()));
    getOnlyPrompt().job.state = 'running';
    await createAdapter().cancel(handle, new AbortController().signal);
    expect([getOnlyPrompt().job.state, bench.state.interrupts]).toEqual(['canceled', []]);
  });

  it('interrupts the prompt by id on older servers', async () => {
    bench.state.has_jobs_api = false;
    const handle = acceptedHandle(await createAdapter().submit(createJob()));
    getOnlyPrompt().job.state = 'running';
    await createAdapter().cancel(handle, new AbortController().signal);
    expect(bench.state.interrupts).toEqual([{ prompt_id: getOnlyPrompt().id }]);
    expect(getOnlyPrompt().job.state).toBe('canceled');
  });
});
