import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { UPSTREAM_API_KEY, MAX_OUTPUT_BYTES, type UpstreamUnderTest, useUpstreamFixture } from './upstream-fixture.ts';
import { respondWith, truncateResponse, type Fault, startFakeUpstream } from './fake-upstream-server.ts';
import type { UpstreamState } from '../upstream.ts';

const REJECTED = { name: 'EngineError', retryable: false, message: expect.stringMatching(/^[A-Z].*[.!?…]$/) };

/** What every adapter must do, against a server of its own protocol. */
export function describeUpstreamConformance(name: string, under_test: UpstreamUnderTest): void {
  const { immediate = false, cancelable_states = [], returns_urls = true, has_no_content_filter = false } = under_test;
  describe(`${name} as an upstream`, () => {
    const bench = useUpstreamFixture(under_test);
    const { adapterAt, submit, poll, cancel, accepted, finish, outputsOf, endsWithReason, listSavedFiles } = bench;

    it('brings the outputs whole, and leaves nothing else behind', async () => {
      expect(await outputsOf(await finish())).toEqual(bench.studio.outputs);
      expect(bench.studio.jobs).toHaveLength(1);
    });

    it.skipIf(immediate)('tells of work in progress, and finishes it by a handle from elsewhere', async () => {
      const { handle, work } = await accepted();
      for (const state of ['queued', 'running'] as const) {
        work.state = state;
        const told_now = await poll(handle);
        expect(told_now).toMatchObject({ status: 'accepted' });
        if (told_now.status === 'accepted' && told_now.progress !== null) {
          expect(told_now.progress).toBeGreaterThanOrEqual(0);
          expect(told_now.progress).toBeLessThanOrEqual(1);
        }
      }
      expect(await listSavedFiles()).toEqual([]);
      work.state = 'succeeded';
      bench.setWorkDir(await bench.freshFolder());
      expect(await outputsOf(await poll(handle, adapterAt(bench.server.base_url)))).toEqual(bench.studio.outputs);
      expect(bench.studio.jobs).toHaveLength(1);
    });

    it.skipIf(has_no_content_filter)('says in words that the content is refused', async () => {
      bench.studio.refuses_content = true;
      await expect(finish()).rejects.toMatchObject({ ...REJECTED, code: 'content_refused' });
      expect(await listSavedFiles()).toEqual([]);
    });

    it.skipIf(immediate).each(['failed', 'canceled'] as const)('says in words that the work %s', async (state) => {
      const { handle, work } = await accepted();
      work.state = state;
      await expect(poll(handle)).rejects.toMatchObject({ name: 'EngineError', message: REJECTED.message });
    });

    it('leaves to a person what is done without an output', async () => {
      bench.studio.outputs = [];
      expect(await finish()).toMatchObject({ status: 'unclear', reason: expect.stringMatching(/^[A-Z].*\.$/) });
    });

    it.skipIf(immediate)('takes a job that is not known any more neither for done nor for failed', async () => {
      const { handle } = await accepted();
      bench.studio.jobs.length = 0;
      const state = await poll(handle).catch((error: unknown) => error);
      expect(['unclear', 'ResponseLostError']).toContain(
        state instanceof Error ? state.name : (state as UpstreamState).status,
      );
    });

    describe('on submit', () => {
      const cases: [string, Fault, object][] = [
        ['429', respondWith(429, '{}', { 'retry-after': '7' }), { name: 'UpstreamBusyError', retry_after_ms: 7_000 }],
        ['503', respondWith(503, 'overloaded'), { name: 'UpstreamBusyError', retry_after_ms: null }],
        ['500', respondWith(500, 'oops'), { name: expect.stringMatching(/^(UpstreamBusyError|ResponseLostError)$/) }],
        ['502', respondWith(502, '<html>'), { name: 'ResponseLostError' }],
        ['an answer that is cut off', truncateResponse, { name: 'ResponseLostError' }],
        ['garbage', respondWith(200, '<html>'), { name: 'ResponseLostError' }],
        ['JSON of another shape', respondWith(200, '[null]'), { name: 'ResponseLostError' }],
        [
          '400',
          respondWith(
            400,
            `{"error":{"message":"Too wide ${UPSTREAM_API_KEY}"},"detail":"Too wide ${UPSTREAM_API_KEY}"}`,
          ),
          REJECTED,
        ],
      ];
      it.each(cases)('knows what %s means', async (_name, fault, error) => {
        bench.server.injectFault(fault);
        await expect(submit()).rejects.toMatchObject(error);
        expect(await listSavedFiles()).toEqual([]);
      });

      it('succeeds after it was told to wait', async () => {
        bench.server.injectFault(respondWith(429, '{}', { 'retry-after': '0' }));
        await expect(submit()).rejects.toMatchObject({ name: 'UpstreamBusyError' });
        expect(bench.studio.jobs).toHaveLength(0);
        expect(await outputsOf(await finish())).toEqual(bench.studio.outputs);
      });

      it('knows that nothing was taken where there is no server', async () => {
        const gone = await startFakeUpstream(UPSTREAM_API_KEY, under_test.createHandler);
        await gone.close();
        await expect(submit(adapterAt(gone.base_url))).rejects.toMatchObject({ name: 'UpstreamBusyError' });
      });

      it('says that the key is not accepted, and does not show it', async () => {
        const wrong = 'another-key-0123456789';
        const asked = submit(adapterAt(bench.server.base_url, wrong));
        await expect(asked).rejects.toMatchObject({
          name: 'EngineError',
          message: 'The key of this engine is not accepted. Tell the operator.',
        });
        await expect(asked.catch((error: unknown) => inspect(error, { depth: 12 }))).resolves.not.toContain(wrong);
        expect(bench.studio.jobs).toHaveLength(0);
      });

      it('has one effect for one key, where the upstream takes one', async () => {
        bench.server.injectFault(truncateResponse);
        await expect(submit()).rejects.toMatchObject({ name: 'ResponseLostError' });
        if (!bench.adapter.supports_submit_key)
          return expect(bench.studio.jobs.map(({ submit_key }) => submit_key)).toEqual([null]);
        expect(await outputsOf(await finish())).toEqual(bench.studio.outputs);
        expect(bench.studio.jobs).toHaveLength(1);
        expect(bench.studio.jobs[0]?.submit_key).toBeTruthy();
      });

      it('ends with the reason when it is aborted', () => endsWithReason(submit));
    });

    describe.skipIf(immediate)('on poll', () => {
      const cases: [string, Fault, object][] = [
        ['429', respondWith(429, '{}', { 'retry-after': '7' }), { name: 'UpstreamBusyError', retry_after_ms: 7_000 }],
        ['500', respondWith(500, 'oops'), { name: expect.stringMatching(/^(UpstreamBusyError|ResponseLostError)$/) }],
        ['an answer that is cut off', truncateResponse, { name: 'ResponseLostError' }],
        ['garbage', respondWith(200, '<html>'), { name: 'ResponseLostError' }],
        ['JSON of another shape', respondWith(200, '[null]'), { name: 'ResponseLostError' }],
      ];
      it.each(cases)('asks again after %s', async (_name, fault, error) => {
        const { handle, work } = await accepted();
        work.state = 'succeeded';
        bench.server.injectFault(fault);
        await expect(poll(handle)).rejects.toMatchObject(error);
        expect(await outputsOf(await poll(handle))).toEqual(bench.studio.outputs);
      });

      it('ends with the reason when it is aborted', async () => {
        const { handle } = await accepted();
        await endsWithReason(() => poll(handle));
      });
    });

    describe.skipIf(immediate)('on cancel', () => {
      it.skipIf(cancelable_states.length === 0).each(cancelable_states)(
        'stops work that is %s, as often as it is asked',
        async (state) => {
          const { handle, work } = await accepted();
          work.state = state;
          await cancel(handle);
          expect(bench.studio.findJob(work.id)?.state ?? 'canceled').toBe('canceled');
          await cancel(handle);
        },
      );

      it.each(['succeeded', 'failed', 'canceled', 'gone'] as const)(
        'does nothing to work that is %s',
        async (state) => {
          const { handle, work } = await accepted();
          if (state === 'gone') bench.studio.jobs.length = 0;
          else work.state = state;
          await expect(cancel(handle)).resolves.toBeUndefined();
          if (state !== 'gone') expect(bench.studio.findJob(work.id)?.state).toBe(state);
        },
      );

      it.skipIf(cancelable_states.length === 0)(
        'says where the answer was lost, and ends with the reason when aborted',
        async () => {
          const { handle } = await accepted();
          bench.server.injectFault(respondWith(502, ''));
          await expect(cancel(handle)).rejects.toMatchObject({ name: 'ResponseLostError' });
          await endsWithReason(() => cancel(handle));
        },
      );
    });

    describe('of outputs', () => {
      it('refuses one that is too large', async () => {
        bench.studio.outputs = [Buffer.alloc(MAX_OUTPUT_BYTES + 1, 'x')];
        await expect(finish()).rejects.toMatchObject({ name: 'EngineError', message: REJECTED.message });
        expect(await listSavedFiles()).toEqual([]);
      });

      it.skipIf(!returns_urls).each(['http', 'https'])(
        'fetches nothing from a private address by %s',
        async (scheme) => {
          let asked = 0;
          const inner = await startFakeUpstream(UPSTREAM_API_KEY, () => (_request, response) => {
            asked += 1;
            response.end('secret');
          });
          bench.studio.output_url = `${inner.base_url.replace('http', scheme)}/secret`;
          await expect(finish()).rejects.toMatchObject({ name: 'EngineError', message: REJECTED.message });
          expect(asked).toBe(0);
          expect(await listSavedFiles()).toEqual([]);
          await inner.close();
        },
      );
    });
  });
}
