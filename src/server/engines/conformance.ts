import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { API_KEY, MAX_OUTPUT_BYTES, type UpstreamUnderTest, useUpstreamBench } from './conformance-bench.ts';
import { answers, cutsOff, type Fault, openStudio } from './conformance-studio.ts';
import type { UpstreamState } from './upstream.ts';

const REFUSED = { name: 'EngineError', retryable: false, message: expect.stringMatching(/^[A-Z].*[.!?…]$/) };

/** What every adapter must do, against a server of its own protocol. */
export function describeUpstream(name: string, under_test: UpstreamUnderTest): void {
  const { immediate = false, cancels = [], gives_urls = true, never_refuses_content = false } = under_test;
  describe(`${name} as an upstream`, () => {
    const bench = useUpstreamBench(under_test);
    const { adapterAt, submit, poll, cancel, accepted, finish, outputsOf, endsWithReason, saved } = bench;

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
      expect(await saved()).toEqual([]);
      work.state = 'succeeded';
      bench.setWorkDir(await bench.freshFolder());
      expect(await outputsOf(await poll(handle, adapterAt(bench.server.base_url)))).toEqual(bench.studio.outputs);
      expect(bench.studio.jobs).toHaveLength(1);
    });

    it.skipIf(never_refuses_content)('says in words that the content is refused', async () => {
      bench.studio.refuses_content = true;
      await expect(finish()).rejects.toMatchObject({ ...REFUSED, code: 'content_refused' });
      expect(await saved()).toEqual([]);
    });

    it.skipIf(immediate).each(['failed', 'canceled'] as const)('says in words that the work %s', async (state) => {
      const { handle, work } = await accepted();
      work.state = state;
      await expect(poll(handle)).rejects.toMatchObject({ name: 'EngineError', message: REFUSED.message });
    });

    it('leaves to a person what is done without an output', async () => {
      bench.studio.outputs = [];
      expect(await finish()).toMatchObject({ status: 'unclear', reason: expect.stringMatching(/^[A-Z].*\.$/) });
    });

    it.skipIf(immediate)('takes a job that is not known any more neither for done nor for failed', async () => {
      const { handle } = await accepted();
      bench.studio.jobs.length = 0;
      const state = await poll(handle).catch((error: unknown) => error);
      expect(['unclear', 'AnswerLost']).toContain(
        state instanceof Error ? state.name : (state as UpstreamState).status,
      );
    });

    describe('on submit', () => {
      const cases: [string, Fault, object][] = [
        ['429', answers(429, '{}', { 'retry-after': '7' }), { name: 'UpstreamBusy', retry_after_ms: 7_000 }],
        ['503', answers(503, 'overloaded'), { name: 'UpstreamBusy', retry_after_ms: null }],
        ['500', answers(500, 'oops'), { name: expect.stringMatching(/^(UpstreamBusy|AnswerLost)$/) }],
        ['502', answers(502, '<html>'), { name: 'AnswerLost' }],
        ['an answer that is cut off', cutsOff, { name: 'AnswerLost' }],
        ['garbage', answers(200, '<html>'), { name: 'AnswerLost' }],
        ['JSON of another shape', answers(200, '[null]'), { name: 'AnswerLost' }],
        ['400', answers(400, `{"error":{"message":"Too wide ${API_KEY}"},"detail":"Too wide ${API_KEY}"}`), REFUSED],
      ];
      it.each(cases)('knows what %s means', async (_name, fault, error) => {
        bench.server.interfere(fault);
        await expect(submit()).rejects.toMatchObject(error);
        expect(await saved()).toEqual([]);
      });

      it('succeeds after it was told to wait', async () => {
        bench.server.interfere(answers(429, '{}', { 'retry-after': '0' }));
        await expect(submit()).rejects.toMatchObject({ name: 'UpstreamBusy' });
        expect(bench.studio.jobs).toHaveLength(0);
        expect(await outputsOf(await finish())).toEqual(bench.studio.outputs);
      });

      it('knows that nothing was taken where there is no server', async () => {
        const gone = await openStudio(API_KEY, under_test.protocol);
        await gone.close();
        await expect(submit(adapterAt(gone.base_url))).rejects.toMatchObject({ name: 'UpstreamBusy' });
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
        bench.server.interfere(cutsOff);
        await expect(submit()).rejects.toMatchObject({ name: 'AnswerLost' });
        if (!bench.adapter.takes_submit_key)
          return expect(bench.studio.jobs.map(({ submit_key }) => submit_key)).toEqual([null]);
        expect(await outputsOf(await finish())).toEqual(bench.studio.outputs);
        expect(bench.studio.jobs).toHaveLength(1);
        expect(bench.studio.jobs[0]?.submit_key).toBeTruthy();
      });

      it('ends with the reason when it is aborted', () => endsWithReason(submit));
    });

    describe.skipIf(immediate)('on poll', () => {
      const cases: [string, Fault, object][] = [
        ['429', answers(429, '{}', { 'retry-after': '7' }), { name: 'UpstreamBusy', retry_after_ms: 7_000 }],
        ['500', answers(500, 'oops'), { name: expect.stringMatching(/^(UpstreamBusy|AnswerLost)$/) }],
        ['an answer that is cut off', cutsOff, { name: 'AnswerLost' }],
        ['garbage', answers(200, '<html>'), { name: 'AnswerLost' }],
        ['JSON of another shape', answers(200, '[null]'), { name: 'AnswerLost' }],
      ];
      it.each(cases)('asks again after %s', async (_name, fault, error) => {
        const { handle, work } = await accepted();
        work.state = 'succeeded';
        bench.server.interfere(fault);
        await expect(poll(handle)).rejects.toMatchObject(error);
        expect(await outputsOf(await poll(handle))).toEqual(bench.studio.outputs);
      });

      it('ends with the reason when it is aborted', async () => {
        const { handle } = await accepted();
        await endsWithReason(() => poll(handle));
      });
    });

    describe.skipIf(immediate)('on cancel', () => {
      it.skipIf(cancels.length === 0).each(cancels)('stops work that is %s, as often as it is asked', async (state) => {
        const { handle, work } = await accepted();
        work.state = state;
        await cancel(handle);
        expect(bench.studio.find(work.id)?.state ?? 'canceled').toBe('canceled');
        await cancel(handle);
      });

      it.each(['succeeded', 'failed', 'canceled', 'gone'] as const)(
        'does nothing to work that is %s',
        async (state) => {
          const { handle, work } = await accepted();
          if (state === 'gone') bench.studio.jobs.length = 0;
          else work.state = state;
          await expect(cancel(handle)).resolves.toBeUndefined();
          if (state !== 'gone') expect(bench.studio.find(work.id)?.state).toBe(state);
        },
      );

      it.skipIf(cancels.length === 0)(
        'says where the answer was lost, and ends with the reason when aborted',
        async () => {
          const { handle } = await accepted();
          bench.server.interfere(answers(502, ''));
          await expect(cancel(handle)).rejects.toMatchObject({ name: 'AnswerLost' });
          await endsWithReason(() => cancel(handle));
        },
      );
    });

    describe('of outputs', () => {
      it('refuses one that is too large', async () => {
        bench.studio.outputs = [Buffer.alloc(MAX_OUTPUT_BYTES + 1, 'x')];
        await expect(finish()).rejects.toMatchObject({ name: 'EngineError', message: REFUSED.message });
        expect(await saved()).toEqual([]);
      });

      it.skipIf(!gives_urls).each(['http', 'https'])('fetches nothing from a private address by %s', async (scheme) => {
        let asked = 0;
        const inner = await openStudio(API_KEY, () => (_request, response) => {
          asked += 1;
          response.end('secret');
        });
        bench.studio.output_url = `${inner.base_url.replace('http', scheme)}/secret`;
        await expect(finish()).rejects.toMatchObject({ name: 'EngineError', message: REFUSED.message });
        expect(asked).toBe(0);
        expect(await saved()).toEqual([]);
        await inner.close();
      });
    });
  });
}
