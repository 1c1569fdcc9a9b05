import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { respondWith } from '#server/models/engine/testing/fake-upstream-server.ts';
import { useFalPreset } from './testing/fal-preset-fixture.ts';

const fal = useFalPreset();

describe('a job at fal', () => {
  it('reports its place in the queue, then the last line of its log', async () => {
    const handle = await fal.submit();
    expect(await fal.poll(handle)).toMatchObject({ provider_status: { queue_position: 1, stage: null } });
    fal.setState('running');
    expect(await fal.poll(handle)).toMatchObject({ provider_status: { queue_position: null, stage: null } });
    fal.record.logs = ['Loading', `Step 3 of 20\nwith ${fal.KEY}`, ' '];
    expect(await fal.poll(handle)).toMatchObject({
      progress: null,
      provider_status: { queue_position: null, stage: 'Step 3 of 20 with •••' },
    });
  });

  it('costs its billable units at the price of its endpoint', async () => {
    fal.record.billable_units = '3.5';
    fal.record.unit_price = 0.014;
    const handle = await fal.submit();
    fal.setState('succeeded');
    const state = await fal.poll(handle);
    expect(state).toMatchObject({ cost_micro_usd: 49_000n, cost_basis: 'computed' });
    expect(state.handle).toMatchObject({ endpoint: 'bytedance/seedance-2.0/text-to-video', inference_seconds: 1.5 });
    if (state.status !== 'succeeded') return expect.fail(state.status);
    expect(await readFile(state.result.files[0] ?? '', 'utf8')).toBe('output');
  });

  it.each([
    ['without units', null, 0],
    ['with units that are no number', 'many', 0],
    ['when the price list is not available', '3', 2],
  ])('has no cost %s', async (_name, units, faultsAfter) => {
    fal.record.billable_units = units;
    const handle = await fal.submit();
    fal.setState('succeeded');
    fal.skipRequests(faultsAfter);
    if (faultsAfter > 0) fal.server.injectFault(respondWith(500, 'oops'));
    expect(await fal.poll(handle)).toMatchObject({ status: 'succeeded', cost_micro_usd: null });
  });

  it('keeps its result and cost when it was complete before it was canceled', async () => {
    fal.record.billable_units = '2';
    const handle = await fal.submit();
    fal.setState('succeeded');
    await fal.cancel(handle);
    expect(await fal.poll(handle)).toMatchObject({ status: 'succeeded', cost_micro_usd: 1_000_000n });
  });

  it('costs its units when it fails by its input or is canceled, but not when a server fails', async () => {
    fal.record.billable_units = '2';
    const cost = { cost_micro_usd: 1_000_000n, cost_basis: 'computed' };
    const handle = await fal.submit();
    fal.setState('failed');
    await expect(fal.poll(handle)).rejects.toMatchObject({ code: 'engine_failed', cost: null });
    fal.setState('succeeded');
    fal.server.upstream.refuses_content = true;
    await expect(fal.poll(handle)).rejects.toMatchObject({ code: 'content_refused', cost });
    fal.setState('running');
    await fal.cancel(handle);
    await expect(fal.poll(handle)).rejects.toMatchObject({ message: 'The job was canceled at the provider.', cost });
  });

  it('costs its units when its output is unusable', async () => {
    fal.record.billable_units = '2';
    fal.server.upstream.output_url = 'http://127.0.0.1:1/private';
    const handle = await fal.submit();
    fal.setState('succeeded');
    await expect(fal.poll(handle)).rejects.toMatchObject({ name: 'EngineError', cost: { cost_micro_usd: 1_000_000n } });
  });

  it('runs on when its key or account is rejected later', async () => {
    const handle = await fal.submit();
    await expect(fal.poll(handle, { api_key: 'another:key' })).rejects.toMatchObject({ name: 'ResponseLostError' });
    fal.server.injectFault(respondWith(403, '{"detail":"User is locked. Reason: TOP_UP."}'));
    await expect(fal.poll(handle)).rejects.toMatchObject({ name: 'ResponseLostError' });
  });

  it('is polled again when its result is not stored yet', async () => {
    const handle = await fal.submit();
    fal.setState('succeeded');
    fal.skipRequests(1);
    fal.server.injectFault(respondWith(400, '{"detail":"Request is still in progress"}'));
    await expect(fal.poll(handle)).rejects.toMatchObject({ name: 'ResponseLostError' });
    expect(await fal.poll(handle)).toMatchObject({ status: 'succeeded' });
  });

  it.each<[string, number, string]>([
    ['an HTML page', 200, '<html>Sign in</html>'],
    ['a 500', 500, 'oops'],
  ])('can be polled again after %s as status and as result', async (_name, status, body) => {
    const handle = await fal.submit();
    fal.setState('succeeded');
    for (const servedBefore of [0, 1]) {
      fal.skipRequests(servedBefore);
      fal.server.injectFault(respondWith(status, body));
      await expect(fal.poll(handle)).rejects.toMatchObject({ name: 'ResponseLostError' });
    }
    expect(await fal.poll(handle)).toMatchObject({ status: 'succeeded' });
  });

  it('fails with the sentence of the content filter', async () => {
    fal.server.upstream.refuses_content = true;
    const handle = await fal.submit();
    fal.setState('succeeded');
    await expect(fal.poll(handle)).rejects.toMatchObject({
      code: 'content_refused',
      message: expect.stringMatching(/flagged by a content checker/),
    });
  });
});
