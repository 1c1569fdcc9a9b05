import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { BodyInput } from '#contract/api/endpoints.ts';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import {
  type TestOrganization,
  describeOnBothDatabases,
} from '#server/studio/generations/testing/shared-service-fixture.ts';
import { type ScriptedEngine, createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { createWorkerFixture } from '#server/studio/generations/testing/worker-fixture.ts';
import { type Fetcher, createFetcher } from '#server/platform/net/fetcher.ts';
import { OutboundError } from '#server/platform/net/outbound-error.ts';
import {
  listRunEntries,
  imageStep,
  waitForRunStatus,
  getRun,
  startTestRun,
  stepStatuses,
  findStep,
} from './testing/workflow-fixture.ts';

const fetcher: Fetcher = {
  ...createFetcher(),
  async assertReachable() {
    throw new OutboundError('bad_status', 'The server responded with status 404 instead of the file.');
  },
};
const text = { type: 'string' };
const input_schema = {
  type: 'object',
  properties: {
    who: text,
    size: { type: 'integer', default: 1 },
    voice: text,
    link: { type: 'object', 'x-media': 'image' },
  },
  required: ['who', 'voice'],
};
const from = (prompt: string, reference: string) => ({
  model: 'imgmodel-b-2',
  input: { prompt, reference_images: [`{{ steps.${reference}.output.assets[0] }}`] },
});
/** Speech fails; the steps before it succeed and cost 0.03, 0.04 and 0.03 dollars. */
const steps = [
  imageStep('portrait', 'portrait of {{ input.who }}'),
  imageStep('clip', 'clip', from('clip', 'portrait')),
  imageStep('aside', '{{ input.size > 5 ? "large" : "small" }}', { needs: ['portrait'] }),
  imageStep('speech', 'speech', from('{{ input.voice }}', 'clip')),
];

describeOnBothDatabases(
  'a retry with changed inputs',
  () => ({ engines: [createScriptedEngine()], fetcher }),
  (service) => {
    const workers = createWorkerFixture(service);
    let organization: TestOrganization;
    beforeAll(async () => {
      await workers.start();
    });
    afterAll(() => workers.stop());
    beforeEach(async () => {
      organization = await service.createOrganization('10');
    });

    const promptsSince = (count: number) =>
      (service.get().deps.offering.current().engines[0] as ScriptedEngine).jobs
        .slice(count)
        .map(({ input }) => input['prompt']);
    const jobs = () => promptsSince(0).length;
    const failedRun = async (definition = { input_schema, steps }, input = {}): Promise<WorkflowRun> => {
      const run = await startTestRun(organization, definition, { who: 'Ana', voice: 'fail', ...input });
      return waitForRunStatus(organization, run.id, 'failed');
    };
    const request = (id: string, body: BodyInput<'retry_workflow_run'>, idempotency_key = 'again') => ({
      params: { workflow_run_id: id },
      body,
      idempotency_key,
    });
    const retry = async (id: string, inputs: Record<string, unknown>) =>
      (await organization.call('retry_workflow_run', request(id, { inputs }))).body;
    const estimate = async (id: string, inputs: Record<string, unknown>) => {
      const params = { workflow_run_id: id };
      const { body } = await organization.call('estimate_workflow_run_retry', { params, body: { inputs } });
      return [body.amount_usd, body.steps.filter(({ kept: keptSteps }) => keptSteps).map(({ key }) => key)];
    };

    it('keeps finished steps without new ledger entries and runs the step that failed with the new value', async () => {
      const run = await failedRun();
      const before = await listRunEntries(organization, run.id);
      const count = jobs();
      expect(await estimate(run.id, { voice: 'hello' })).toEqual(['0.04', ['portrait', 'clip', 'aside']]);
      const retried = await retry(run.id, { voice: 'hello' });
      expect(retried).toMatchObject({
        retry_of: run.id,
        input: { who: 'Ana', voice: 'hello', size: 1 },
        estimate: { amount_usd: '0.04', basis: 'exact' },
      });
      const completed = await waitForRunStatus(organization, retried.id, 'succeeded');
      expect(promptsSince(count)).toEqual(['hello']);
      expect(completed.steps.map(({ kept: keptSteps }) => keptSteps)).toEqual([true, true, true, false]);
      expect(findStep(completed, 'clip').generation_id).toBe(findStep(run, 'clip').generation_id);
      expect(completed.usage.amount_usd).toBe('0.04');
      const entries = await listRunEntries(organization, retried.id);
      expect(new Set(entries.map(({ generation_id }) => generation_id))).toEqual(
        new Set([findStep(completed, 'speech').generation_id]),
      );
      expect(await listRunEntries(organization, run.id)).toEqual(before);
      const original = await getRun(organization, run.id);
      expect([original.retried_by, original.input]).toEqual([retried.id, run.input]);
    });

    it('runs a finished step again when its request changes, together with steps that use its result', async () => {
      const run = await failedRun();
      const count = jobs();
      expect(await estimate(run.id, { who: 'Ben', voice: 'hello' })).toEqual(['0.11', ['aside']]);
      const retried = await retry(run.id, { who: 'Ben', voice: 'hello' });
      const completed = await waitForRunStatus(organization, retried.id, 'succeeded');
      expect(promptsSince(count)).toEqual(['portrait of Ben', 'clip', 'hello']);
      expect([completed.usage.amount_usd, findStep(completed, 'aside').kept]).toEqual(['0.11', true]);
    });

    it('keeps a finished step whose request stays the same', async () => {
      const run = await failedRun();
      const all = ['portrait', 'clip', 'aside'];
      expect(await estimate(run.id, { size: 3, who: 'Ana' })).toEqual(['0.04', all]);
      expect(await estimate(run.id, { size: 6 })).toEqual(['0.07', ['portrait', 'clip']]);
    });

    it('runs changed items of a list again, and a step whose condition now holds', async () => {
      const run = await failedRun({
        input_schema,
        steps: [
          imageStep('shots', '{{ item = "b" ? input.who : item }}', { for_each: '["a", "b", "c"]' }),
          imageStep('extra', 'extra', { when: 'input.size > 5' }),
          imageStep('bad', '{{ input.voice }}'),
        ],
      });
      expect(stepStatuses(run)).toEqual({ shots: 'succeeded', extra: 'skipped', bad: 'failed' });
      const count = jobs();
      const retried = await retry(run.id, { who: 'Ben', size: 6, voice: 'hello' });
      expect(retried.estimate?.amount_usd).toBe('0.09');
      const completed = await waitForRunStatus(organization, retried.id, 'succeeded');
      expect(promptsSince(count).sort()).toEqual(['Ben', 'extra', 'hello']);
      expect(findStep(completed, 'shots').items?.map(({ kept: keptSteps }) => keptSteps)).toEqual([true, false, true]);
    });

    it('names the field of an invalid input and starts nothing', async () => {
      const run = await failedRun();
      const refused = async (inputs: Record<string, unknown>) => {
        const { status, error } = await organization.callError('retry_workflow_run', request(run.id, { inputs }));
        return [status, error.code, error.details?.map(({ path }) => path)];
      };
      expect(await refused({ voice: 5 })).toEqual([422, 'invalid_request', ['inputs.voice']]);
      expect(await refused({ nobody: 'x' })).toEqual([422, 'invalid_request', ['inputs.nobody']]);
      expect(await refused({ link: { url: 'https://gone.example/a.png' } })).toEqual([
        400,
        'invalid_request',
        ['inputs.link'],
      ]);
      const params = { workflow_run_id: run.id };
      const unpriced = await organization.callError('estimate_workflow_run_retry', {
        params,
        body: { inputs: { size: 'x' } },
      });
      expect([unpriced.status, unpriced.error.details?.[0]?.path]).toEqual([422, 'inputs.size']);
      const wrong = { ...request(run.id, undefined), body: { input: {} } as never };
      expect((await organization.callError('retry_workflow_run', wrong)).status).toBe(422);
      expect((await getRun(organization, run.id)).retried_by).toBeNull();
    });

    it('replays the same body, rejects another one with the same key, and treats an empty body as none', async () => {
      const run = await failedRun();
      const { body: first } = await organization.call(
        'retry_workflow_run',
        request(run.id, { inputs: { voice: 'hello' } }),
      );
      const replayed = await organization.call('retry_workflow_run', request(run.id, { inputs: { voice: 'hello' } }));
      expect([replayed.body.id, replayed.headers['idempotent-replayed']]).toEqual([first.id, 'true']);
      for (const body of [{ inputs: { voice: 'bye' } }, undefined])
        expect((await organization.callError('retry_workflow_run', request(run.id, body))).error.code).toBe(
          'idempotency_conflict',
        );
      const other = await failedRun();
      await organization.call('retry_workflow_run', request(other.id, {}, 'empty'));
      const none = await organization.call('retry_workflow_run', request(other.id, undefined, 'empty'));
      expect(none.headers['idempotent-replayed']).toBe('true');
    });

    it('applies the rules of funds, ownership and retry chains', async () => {
      const run = await failedRun();
      const body = { inputs: { voice: 'hello' } };
      const otherOrganization = await service.createOrganization('10');
      expect((await otherOrganization.callError('retry_workflow_run', request(run.id, body))).error.code).toBe(
        'workflow_run_not_found',
      );
      const { available_usd } = (await organization.call('get_billing_summary')).body;
      const credit = { amount_usd: `-${available_usd}`, description: 'For a test' };
      await organization.call('create_credit', { body: credit });
      expect((await organization.callError('retry_workflow_run', request(run.id, body))).status).toBe(402);
      await organization.call('create_credit', { body: { ...credit, amount_usd: available_usd } });
      const retried = await retry(run.id, { voice: 'hello' });
      await waitForRunStatus(organization, retried.id, 'succeeded');
      const params = { workflow_run_id: run.id };
      expect((await organization.callError('estimate_workflow_run_retry', { params, body })).error.code).toBe(
        'retry_not_latest',
      );
    });
  },
);
