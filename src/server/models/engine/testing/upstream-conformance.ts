import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { UPSTREAM_API_KEY, MAX_OUTPUT_BYTES, type UpstreamUnderTest, useUpstreamFixture } from './upstream-fixture.ts';
import { respondWith, truncateResponse, type Fault, startFakeUpstream } from './fake-upstream-server.ts';
import { UnfetchedOutputError } from '#server/models/engine/unfetched-output.ts';
import type { UpstreamState } from '#server/models/engine/upstream.ts';

const REJECTED = { name: 'EngineError', retryable: false, message: expect.stringMatching(/^[A-Z].*[.!?…]$/) };

/** Tests what every adapter must do, against a fake server of its protocol. */
export function describeUpstreamConformance(name: string, underTest: UpstreamUnderTest): void {
  const { immediate = false, cancelable_states = [], returns_urls = true, has_no_content_filter = false } = underTest;
  describe(`${name} as a provider adapter`, () => {
    const bench = useUpstreamFixture(underTest);
    const {
      createAdapter,
      submit,
      poll,
      cancel,
      submitAccepted,
      runToCompletion,
      readOutputs,
      readRequestId,
      expectAbortReason,
      listSavedFiles,
    } = bench;

    it('returns complete outputs and leaves no other files', async () => {
      expect(await readOutputs(await runToCompletion())).toEqual(bench.upstream.outputs);
      expect(bench.upstream.jobs).toHaveLength(1);
    });

    it('names the request as the bill of the provider does', async () => {
      const id = readRequestId(await submit());
      expect(id).toEqual(expect.stringMatching(/^[\x21-\x7e]{1,200}$/));
      // Some take the id from the client, as the key of the submit.
      const ids = bench.upstream.jobs.flatMap((job) => [job.id, job.submit_key ?? job.id]);
      if (!immediate) expect(ids.some((known) => String(id).includes(known))).toBe(true);
    });

    if (!immediate)
      it('reports progress and completes from a stored handle', async () => {
        const { handle, work } = await submitAccepted();
        for (const jobState of ['queued', 'running'] as const) {
          work.state = jobState;
          const state = await poll(handle);
          expect(state).toMatchObject({ status: 'accepted' });
          if (state.status === 'accepted' && state.progress !== null) {
            expect(state.progress).toBeGreaterThanOrEqual(0);
            expect(state.progress).toBeLessThanOrEqual(1);
          }
        }
        expect(await listSavedFiles()).toEqual([]);
        work.state = 'succeeded';
        bench.setWorkDir(await bench.createWorkDir());
        expect(await readOutputs(await poll(handle, createAdapter(bench.server.base_url)))).toEqual(
          bench.upstream.outputs,
        );
        expect(bench.upstream.jobs).toHaveLength(1);
      });

    if (!has_no_content_filter)
      it('reports refused content', async () => {
        bench.upstream.refuses_content = true;
        await expect(runToCompletion()).rejects.toMatchObject({ ...REJECTED, code: 'content_refused' });
        expect(await listSavedFiles()).toEqual([]);
      });

    if (!immediate)
      it.each(['failed', 'canceled'] as const)('reports that the job %s', async (state) => {
        const { handle, work } = await submitAccepted();
        work.state = state;
        await expect(poll(handle)).rejects.toMatchObject({ name: 'EngineError', message: REJECTED.message });
      });

    it('is unclear when a job succeeds without an output', async () => {
      bench.upstream.outputs = [];
      const unfetched = (error: unknown) => {
        if (!(error instanceof UnfetchedOutputError)) throw error;
        return { status: 'unclear', reason: error.message };
      };
      expect(await runToCompletion().catch(unfetched)).toMatchObject({
        status: 'unclear',
        reason: expect.stringMatching(/^[A-Z].*\.$/),
      });
    });

    if (!immediate)
      it('treats an unknown job neither as succeeded nor as failed', async () => {
        const { handle } = await submitAccepted();
        bench.upstream.jobs.length = 0;
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
        ['a truncated response', truncateResponse, { name: 'ResponseLostError' }],
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
      it.each(cases)('maps %s', async (_name, fault, error) => {
        bench.server.injectFault(fault);
        await expect(submit()).rejects.toMatchObject(error);
        expect(await listSavedFiles()).toEqual([]);
      });

      it('succeeds after a 429', async () => {
        bench.server.injectFault(respondWith(429, '{}', { 'retry-after': '0' }));
        await expect(submit()).rejects.toMatchObject({ name: 'UpstreamBusyError' });
        expect(bench.upstream.jobs).toHaveLength(0);
        expect(await readOutputs(await runToCompletion())).toEqual(bench.upstream.outputs);
      });

      it('is busy when no server listens', async () => {
        const gone = await startFakeUpstream(UPSTREAM_API_KEY, underTest.createHandler);
        await gone.close();
        await expect(submit(createAdapter(gone.base_url))).rejects.toMatchObject({ name: 'UpstreamBusyError' });
      });

      it('reports a rejected key without exposing it', async () => {
        const wrong = 'another-key-0123456789';
        const pending = submit(createAdapter(bench.server.base_url, wrong));
        await expect(pending).rejects.toMatchObject({
          name: 'EngineError',
          message: 'The provider rejected the API key. Ask the operator to check it.',
        });
        await expect(pending.catch((error: unknown) => inspect(error, { depth: 12 }))).resolves.not.toContain(wrong);
        expect(bench.upstream.jobs).toHaveLength(0);
      });

      it('creates one job per submit key, if the provider supports one', async () => {
        bench.server.injectFault(truncateResponse);
        await expect(submit()).rejects.toMatchObject({ name: 'ResponseLostError' });
        if (!bench.adapter.supports_submit_key)
          return expect(bench.upstream.jobs.map(({ submit_key }) => submit_key)).toEqual([null]);
        expect(await readOutputs(await runToCompletion())).toEqual(bench.upstream.outputs);
        expect(bench.upstream.jobs).toHaveLength(1);
        expect(bench.upstream.jobs[0]?.submit_key).toBeTruthy();
      });

      it('rejects with the abort reason', () => expectAbortReason(submit));
    });

    if (!immediate)
      describe('on poll', () => {
        const cases: [string, Fault, object][] = [
          ['429', respondWith(429, '{}', { 'retry-after': '7' }), { name: 'UpstreamBusyError', retry_after_ms: 7_000 }],
          ['500', respondWith(500, 'oops'), { name: expect.stringMatching(/^(UpstreamBusyError|ResponseLostError)$/) }],
          ['a truncated response', truncateResponse, { name: 'ResponseLostError' }],
          ['garbage', respondWith(200, '<html>'), { name: 'ResponseLostError' }],
          ['JSON of another shape', respondWith(200, '[null]'), { name: 'ResponseLostError' }],
        ];
        it.each(cases)('can be retried after %s', async (_name, fault, error) => {
          const { handle, work } = await submitAccepted();
          work.state = 'succeeded';
          bench.server.injectFault(fault);
          await expect(poll(handle)).rejects.toMatchObject(error);
          expect(await readOutputs(await poll(handle))).toEqual(bench.upstream.outputs);
        });

        it('rejects with the abort reason', async () => {
          const { handle } = await submitAccepted();
          await expectAbortReason(() => poll(handle));
        });
      });

    if (!immediate)
      describe('on cancel', () => {
        if (cancelable_states.length > 0)
          it.each(cancelable_states)('cancels a %s job repeatedly', async (state) => {
            const { handle, work } = await submitAccepted();
            work.state = state;
            await cancel(handle);
            expect(bench.upstream.findJob(work.id)?.state ?? 'canceled').toBe('canceled');
            await cancel(handle);
          });

        it.each(['succeeded', 'failed', 'canceled', 'gone'] as const)('does nothing to a %s job', async (state) => {
          const { handle, work } = await submitAccepted();
          if (state === 'gone') bench.upstream.jobs.length = 0;
          else work.state = state;
          await expect(cancel(handle)).resolves.toBeUndefined();
          if (state !== 'gone') expect(bench.upstream.findJob(work.id)?.state).toBe(state);
        });

        it('still returns the result of a job that was complete before', async () => {
          const { handle, work } = await submitAccepted();
          work.state = 'succeeded';
          await cancel(handle);
          expect(await readOutputs(await poll(handle))).toEqual(bench.upstream.outputs);
        });

        if (cancelable_states.length > 0)
          it('reports the end of a job that it stopped', async () => {
            const { handle } = await submitAccepted();
            await cancel(handle);
            const ended = await poll(handle).then(
              ({ status }) => status,
              (error: Error) => error.name,
            );
            expect(['EngineError', 'ResponseLostError', 'unclear']).toContain(ended);
          });

        if (cancelable_states.length > 0)
          it('reports a lost response and rejects with the abort reason', async () => {
            const { handle } = await submitAccepted();
            bench.server.injectFault(respondWith(502, ''));
            await expect(cancel(handle)).rejects.toMatchObject({ name: 'ResponseLostError' });
            await expectAbortReason(() => cancel(handle));
          });
      });

    describe('downloading outputs', () => {
      it('rejects an output that is too large', async () => {
        bench.upstream.outputs = [Buffer.alloc(MAX_OUTPUT_BYTES + 1, 'x')];
        await expect(runToCompletion()).rejects.toMatchObject({ name: 'EngineError', message: REJECTED.message });
        expect(await listSavedFiles()).toEqual([]);
      });

      if (returns_urls)
        it.each(['http', 'https'])('fetches nothing from a private address over %s', async (scheme) => {
          let requestCount = 0;
          const inner = await startFakeUpstream(UPSTREAM_API_KEY, () => (_request, response) => {
            requestCount += 1;
            response.end('secret');
          });
          bench.upstream.output_url = `${inner.base_url.replace('http', scheme)}/secret`;
          const failure = await runToCompletion().catch((error: unknown) => error);
          expect(failure).toBeInstanceOf(UnfetchedOutputError);
          expect(failure).toMatchObject({ message: REJECTED.message });
          expect(requestCount).toBe(0);
          expect(await listSavedFiles()).toEqual([]);
          await inner.close();
        });
    });
  });
}
