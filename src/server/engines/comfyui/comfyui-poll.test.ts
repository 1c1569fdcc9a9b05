import { describe, expect, it } from 'vitest';
import { respondWith } from '../testing/fake-upstream-server.ts';
import { comfyUiNode, useComfyUiFixture, sampleComfyUiWorkflow } from '../testing/comfyui-fixture.ts';
import type { FakeComfyUiState } from '../testing/fake-comfyui-server.ts';

const bench = useComfyUiFixture();
const { adapter, job, handleOf, onlyPrompt, ended } = bench;

describe('a poll of comfyui', () => {
  const finished = { value: 1, max: 1, state: 'finished' };
  const nodes = { '4': finished, '6': finished, '5': finished, '3': { value: 10, max: 20, state: 'running' } };
  it.each<[string, unknown[] | null, number | null]>([
    ['its websocket', [{ type: 'progress_state', data: { prompt_id: 'ours', nodes } }], 13 / 25],
    ['nothing where there is no websocket', null, null],
  ])('learns how far it is from %s', async (_name, says, progress) => {
    const handle = handleOf(await adapter().submit(job()));
    const { id, job: work } = onlyPrompt();
    work.state = 'running';
    bench.state.websocket_messages = says && [
      { type: 'executing', data: { node: '3' } },
      ...JSON.parse(JSON.stringify(says).replace('ours', id)),
    ];
    expect(await adapter().poll(job(), handle)).toEqual({ status: 'accepted', handle, progress });
  });

  it('ends its listening with the reason when it is aborted', async () => {
    const handle = handleOf(await adapter().submit(job()));
    onlyPrompt().job.state = 'running';
    const controller = new AbortController();
    bench.server.injectFault((_request, _response, serve) => serve());
    bench.server.injectFault(() => controller.abort(new Error('No longer wanted')));
    await expect(adapter().poll(job({ signal: controller.signal }), handle)).rejects.toThrow('No longer wanted');
  });

  it('takes the last node that saved something for good', async () => {
    const more = {
      ...sampleComfyUiWorkflow,
      '10': comfyUiNode('SaveImage', { images: ['8', 0], filename_prefix: 'late' }),
      '12:3': comfyUiNode('PreviewImage', { images: ['8', 0] }),
    };
    expect(await ended('succeeded', { workflow: more })).toMatchObject({ status: 'succeeded', cost_micro_usd: null });
    expect(bench.state.views).toEqual([{ filename: '10_0_.png', subfolder: 'made here', type: 'output' }]);
  });

  it('takes the node that is named, a preview too', async () => {
    const more = { ...sampleComfyUiWorkflow, '12:3': comfyUiNode('PreviewImage', { images: ['8', 0] }) };
    await ended('succeeded', { workflow: more, output_node: '12:3' });
    expect(bench.state.views).toEqual([{ filename: '12:3_0_.png', subfolder: 'made here', type: 'temp' }]);
  });

  it('leaves to a person what the named node did not save', async () => {
    const state = await ended('succeeded', { output_node: '77' });
    expect(state).toMatchObject({ status: 'unclear', reason: expect.stringContaining('node 77') });
  });

  it('leaves to a person what is no longer there to be fetched', async () => {
    const handle = handleOf(await adapter().submit(job()));
    onlyPrompt().job.state = 'succeeded';
    for (let request = 1; request <= 2; request += 1) bench.server.injectFault((_request, _response, serve) => serve());
    bench.server.injectFault(respondWith(404, ''));
    expect(await adapter().poll(job(), handle)).toMatchObject({ status: 'unclear', result: null });
  });

  it('leaves to a person what a restart made it forget', async () => {
    const handle = handleOf(await adapter().submit(job()));
    bench.state.prompts = [];
    const state = await adapter().poll(job(), handle);
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
  ])('says why it broke: %s', async (_name, exception, message, retryable) => {
    bench.state.exception = exception;
    await expect(ended('failed')).rejects.toMatchObject({ name: 'EngineError', message, retryable });
  });
});

describe('a cancel at comfyui', () => {
  it('does not stop the prompt of somebody else', async () => {
    bench.state.is_legacy = true;
    const ours = handleOf(await adapter().submit(job()));
    await adapter().submit(job({ submit_key: 'gen_2' }));
    const [waiting, other] = bench.state.prompts;
    if (!waiting || !other) return expect.fail();
    other.job.state = 'running';
    await adapter().cancel(ours, new AbortController().signal);
    expect([waiting.job.state, other.job.state]).toEqual(['canceled', 'running']);
    expect(bench.state.interrupts).toEqual([]);
  });

  it('names the prompt that it stops', async () => {
    const handle = handleOf(await adapter().submit(job()));
    onlyPrompt().job.state = 'running';
    await adapter().cancel(handle, new AbortController().signal);
    expect(bench.state.interrupts).toEqual([{ prompt_id: onlyPrompt().id }]);
    expect(onlyPrompt().job.state).toBe('canceled');
  });
});
