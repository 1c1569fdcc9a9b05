import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatUsd, parseUsd } from '#contract/money/money.ts';
import { type ScriptedEngine, createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { describeOnBothDatabases } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createWorkerFixture } from '#server/studio/generations/testing/worker-fixture.ts';
import {
  listRunEntries,
  imageStep,
  waitForRunStatus,
  getRun,
  startTestRun,
  stepStatuses,
  findStep,
} from './testing/workflow-fixture.ts';

describeOnBothDatabases(
  'a workflow run',
  () => ({ engines: [createScriptedEngine()] }),
  (service) => {
    const workers = createWorkerFixture(service);
    beforeAll(async () => {
      await workers.start();
    });
    afterAll(() => workers.stop());

    const engine = () => service.get().deps.offering.current().engines[0] as ScriptedEngine;

    it('runs steps in order, independent ones concurrently, and returns its output', async () => {
      const organization = await service.createOrganization('10');
      const run = await startTestRun(
        organization,
        {
          input_schema: { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] },
          steps: [
            imageStep('last', '{{ input.what }}', {
              model: 'imgmodel-b-2',
              input: {
                prompt: 'last',
                reference_images: ['{{ steps.a.output.assets[0] }}', '{{ steps.b.output.assets[0].url }}'],
              },
            }),
            imageStep('a', 'a {{ input.what }}'),
            imageStep('b', '{{ "b " & input.what }}'),
          ],
          output: { pictures: '{{ steps.last.output.assets }}', said: 'of {{ input.what }}' },
        },
        { what: 'a harbour' },
      );
      expect(run).toMatchObject({
        status: 'queued',
        starter_name: 'A workflow',
        estimate: { amount_usd: '0.10', basis: 'exact' },
      });
      const completed = await waitForRunStatus(organization, run.id, 'succeeded');
      const asset = findStep(completed, 'last').assets?.[0];
      expect(completed.output).toEqual({
        pictures: [expect.objectContaining({ id: asset?.id, type: 'image' })],
        said: 'of a harbour',
      });
      expect(findStep(completed, 'last').needs).toEqual(['a', 'b']);
      const prompts = engine().jobs.map(({ input }) => input['prompt']);
      expect(prompts.filter((prompt) => prompt === 'a a harbour')).toHaveLength(1);
      expect(prompts.filter((prompt) => prompt === 'b a harbour')).toHaveLength(1);
      const [first, second, third] = ['a', 'b', 'last'].map((key) => findStep(completed, key));
      expect(
        [first?.completed_at, second?.completed_at].every((time) => (time ?? '') <= (third?.started_at ?? '')),
      ).toBe(true);
      expect(completed.usage.amount_usd).toBe('0.10');
      expect(completed.usage.line_items.reduce((sum, line) => sum + parseUsd(line.amount_usd), 0n)).toBe(
        parseUsd('0.10'),
      );
      const entries = await listRunEntries(organization, run.id);
      expect(entries).toHaveLength(9);
      expect(formatUsd(-entries.reduce((sum, entry) => sum + parseUsd(entry.amount_usd), 0n))).toBe('0.10');
      const sums = await organization.call('get_ledger_sums', { query: { workflow_run_id: run.id } });
      expect(sums.body).toMatchObject({ count: 9, amount_usd: '-0.10', spent_usd: '0.10' });
      const generation = await organization.call('get_generation', {
        params: { generation_id: first?.generation_id ?? '' },
      });
      expect(generation.body.workflow_run_id).toBe(run.id);
    });

    it('runs lists, skips steps by condition, and passes outputs on', async () => {
      const organization = await service.createOrganization('10');
      const run = await startTestRun(
        organization,
        {
          input_schema: {
            type: 'object',
            properties: {
              lines: { type: 'string', 'x-multiline': true },
              most: { type: 'integer', default: 2, minimum: 1 },
            },
            required: ['lines'],
          },
          steps: [
            imageStep('shots', '{{ item }} no. {{ index }}', {
              for_each: '$split(input.lines, "\\n")',
              max_items: '{{ input.most }}',
            }),
            imageStep('never', 'x', { when: 'input.most > 5' }),
            imageStep('none', 'x', { for_each: 'input.lines[false]' }),
            imageStep('sheet', 'sheet', {
              needs: ['never', 'none'],
              model: 'imgmodel-b-2',
              input: { prompt: 'sheet', reference_images: '{{ steps.shots.output.assets }}' },
            }),
          ],
          output: { shots: '{{ $count(steps.shots.items) }}', never: '{{ steps.never.output.assets }}' },
        },
        { lines: 'one\ntwo\nthree' },
      );
      expect(run.estimate).toMatchObject({ amount_usd: '0.10', basis: 'exact' });
      const completed = await waitForRunStatus(organization, run.id, 'succeeded');
      expect(completed.output).toEqual({ shots: 2 });
      expect(stepStatuses(completed)).toEqual({
        shots: 'succeeded',
        never: 'skipped',
        none: 'succeeded',
        sheet: 'succeeded',
      });
      expect(findStep(completed, 'shots')).toMatchObject({
        generation_id: null,
        amount_usd: '0.06',
        items: [{ label: 'one' }, { label: 'two' }],
      });
      expect(completed.usage.amount_usd).toBe('0.10');
    });

    describe('with a failed step', () => {
      const steps = [
        imageStep('bad', '{{ input.how }}'),
        imageStep('after', 'after', { needs: ['bad'] }),
        imageStep('far', 'far', { needs: ['after'] }),
        imageStep('aside', 'aside'),
        imageStep('more', 'more', { needs: ['aside'] }),
      ];
      const input_schema = { type: 'object', properties: { how: { type: 'string' } }, required: ['how'] };

      it('stops dependent steps only, and keeps finished steps on retry', async () => {
        const organization = await service.createOrganization('10');
        const run = await startTestRun(organization, { input_schema, steps }, { how: 'fail now' });
        const completed = await waitForRunStatus(organization, run.id, 'failed');
        expect(stepStatuses(completed)).toEqual({
          bad: 'failed',
          after: 'stopped',
          far: 'stopped',
          aside: 'succeeded',
          more: 'succeeded',
        });
        expect(completed).toMatchObject({
          error: {
            code: 'step_failed',
            message: '“bad” failed: The scripted engine was told to fail.',
            retryable: true,
          },
          usage: { amount_usd: '0.06' },
          output: null,
        });
        const jobCount = engine().jobs.length;
        const params = { workflow_run_id: run.id };
        const { body: again } = await organization.call('retry_workflow_run', { params, idempotency_key: 'again' });
        expect(again).toMatchObject({
          retry_of: run.id,
          estimate: { amount_usd: '0.09' },
          usage: { amount_usd: '0.00' },
        });
        const failed = await waitForRunStatus(organization, again.id, 'failed');
        expect(
          engine()
            .jobs.slice(jobCount)
            .map(({ input }) => input['prompt']),
        ).toEqual(['fail now']);
        expect(findStep(failed, 'aside')).toMatchObject({
          kept: true,
          amount_usd: '0.00',
          generation_id: findStep(completed, 'aside').generation_id,
        });
        expect(failed.usage.amount_usd).toBe('0.00');
        expect((await getRun(organization, run.id)).retried_by).toBe(again.id);
        expect(
          (await organization.callError('retry_workflow_run', { params, idempotency_key: 'third' })).error.code,
        ).toBe('retry_not_latest');
        const replayed = await organization.call('retry_workflow_run', { params, idempotency_key: 'again' });
        expect(replayed.headers['idempotent-replayed']).toBe('true');
      });
    });

    it('can be canceled with all active work, which releases its funds, and retried', async () => {
      const organization = await service.createOrganization('10');
      const run = await startTestRun(organization, {
        steps: [imageStep('slow', 'hang', { for_each: '[1, 2]' }), imageStep('next', 'x', { needs: ['slow'] })],
      });
      await waitForRunStatus(organization, run.id, 'running');
      const params = { workflow_run_id: run.id };
      const { body } = await organization.call('cancel_workflow_run', { params, body: { reason: 'Not like this' } });
      expect(body).toMatchObject({ status: 'canceled', cancel_reason: 'Not like this', usage: { amount_usd: '0.00' } });
      expect(stepStatuses(body)).toEqual({ slow: 'canceled', next: 'canceled' });
      const again = await organization.call('cancel_workflow_run', { params, body: {} });
      expect(again.body).toEqual(body);
      const generations = await Promise.all(
        (findStep(body, 'slow').items ?? []).map(({ generation_id }) =>
          generation_id ? organization.call('get_generation', { params: { generation_id } }) : null,
        ),
      );
      expect(generations.map((generation) => generation?.body.status ?? 'canceled')).toEqual(['canceled', 'canceled']);
      const { body: retried } = await organization.call('retry_workflow_run', { params, idempotency_key: 'x' });
      await organization.call('cancel_workflow_run', {
        params: { workflow_run_id: retried.id },
        body: { reason: null },
      });
      expect((await organization.call('get_billing_summary')).body).toMatchObject({
        available_usd: '10.00',
        reserved_usd: '0.00',
      });
    });
  },
);
