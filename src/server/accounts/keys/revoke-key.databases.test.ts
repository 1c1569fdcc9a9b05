import { afterAll, expect, it } from 'vitest';
import { eq } from 'drizzle-orm';
import { shellActor } from '#server/accounts/audit/record-audit-event.ts';
import { upstreamJobs } from '#server/platform/db/schema/schema.ts';
import { createUpstreamEngine } from '#server/models/engine/upstream.ts';
import { claimGeneration } from '#server/studio/generations/generation-lease.ts';
import { runGeneration } from '#server/studio/generations/run-generation.ts';
import {
  type TestOrganization,
  describeOnBothDatabases,
} from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { createFakeProviderAdapter } from '#server/studio/generations/testing/fake-provider-adapter.ts';
import {
  type FakeProviderServer,
  startFakeProviderServer,
} from '#server/studio/generations/testing/fake-provider-server.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { createWorkerFixture } from '#server/studio/generations/testing/worker-fixture.ts';
import { createTestClient } from '#server/app/testing/test-client.ts';
import { advanceRun } from '#server/studio/workflows/advance/advancer.ts';
import { listActiveGenerations, advanceAll, neverAborted } from '#server/studio/workflows/testing/advance-all.ts';
import {
  listRunEntries,
  imageStep,
  getRun,
  startTestRun,
  stepStatuses,
  findStep,
} from '#server/studio/workflows/testing/workflow-fixture.ts';
import { revokeKey } from './revoke-key.ts';

const upstream: FakeProviderServer = await startFakeProviderServer();
afterAll(() => upstream.close());
const engine = createUpstreamEngine({
  name: 'studio',
  adapter: createFakeProviderAdapter(() => upstream),
  supports: (_task, model) => model === 'imgmodel-b-2',
});

describeOnBothDatabases(
  'a revoked key',
  () => ({ engines: [engine, createScriptedEngine()] }),
  (service) => {
    const bench = createWorkerFixture(service);
    const deps = () => service.get().deps;
    const run = (id: string) => runGeneration(deps(), id, { shutdown: neverAborted });

    async function open(): Promise<{ admin: TestOrganization; member: TestOrganization; key_id: string }> {
      const admin = await service.createOrganization('10');
      const { id, key } = (await admin.call('create_api_key', { body: { name: 'Intern', kind: 'member' } })).body;
      return { admin, key_id: id, member: { ...admin, key, ...createTestClient(service.get().app, key) } };
    }
    const revoke = (admin: TestOrganization, key_id: string) => admin.call('delete_api_key', { params: { key_id } });
    const CANCELED = {
      status: 'canceled',
      error: {
        code: 'key_revoked',
        message: 'The key “Intern” was revoked before this generation started.',
        retryable: true,
      },
      usage: { billing_status: 'released' },
    };

    it('cancels queued work; running work completes and is settled', async () => {
      const { admin, member, key_id } = await open();
      const running = await bench.create(member, 'a pear');
      const lease = await claimGeneration(deps(), running.id);
      const queued = await Promise.all(Array.from({ length: 60 }, () => bench.create(member, 'a pear')));
      const other = await bench.create(admin, 'a pear');
      await revoke(admin, key_id);
      for (const { id } of queued.slice(-2)) expect(await bench.read(admin, id)).toMatchObject(CANCELED);
      const { data } = (await admin.call('list_generations', { query: { status: 'queued' } })).body;
      expect(data.map(({ id }) => id)).toEqual([other.id]);
      expect((await bench.read(admin, running.id)).status).toBe('running');
      expect(lease?.row.id).toBe(running.id);
      expect((await admin.call('get_billing_summary')).body.reserved_usd).toBe('0.06');
    });

    it('does not start queued work that a worker finds', async () => {
      const { admin, member, key_id } = await open();
      const { id } = await bench.create(member, 'a pear');
      // As if the process had ended before it canceled the work.
      await revokeKey(deps(), shellActor(admin.organization_id), key_id);
      await run(id);
      expect(await bench.read(admin, id)).toMatchObject(CANCELED);
      expect(await bench.readLedgerEntries(id)).toEqual(['RELEASE 30000', 'RESERVE -30000']);
    });

    it('follows provider jobs until they complete', async () => {
      const { admin, member, key_id } = await open();
      upstream.reset();
      upstream.behaviors.submit = ['hang'];
      const { id } = await bench.create(member, 'a pear', { model: 'imgmodel-b-2' });
      const running = run(id);
      await waitFor('the submit', async () => upstream.submits.length === 1);
      await revoke(admin, key_id);
      upstream.release();
      await running;
      expect(await bench.read(admin, id)).toMatchObject({ status: 'succeeded', usage: { billing_status: 'settled' } });
      const [job] = await deps().db.select().from(upstreamJobs).where(eq(upstreamJobs.generation_id, id));
      expect(job?.handle).toBeTruthy();
    });

    it('ends its runs with the reason after running work has completed', async () => {
      const { admin, member, key_id } = await open();
      const steps = [
        imageStep('a', 'a pear'),
        imageStep('b', '{{ steps.a.output.assets[0].url }}'),
        imageStep('c', 'c', { for_each: '[1..3]', needs: ['a'] }),
        imageStep('d', 'd', { needs: ['b', 'c'] }),
      ];
      const { id } = await startTestRun(member, { steps });
      await advanceRun(deps(), id, neverAborted);
      const [first = ''] = await listActiveGenerations(deps().db, id);
      const lease = await claimGeneration(deps(), first);
      await revoke(admin, key_id);
      await advanceRun(deps(), id, neverAborted);
      expect((await getRun(admin, id)).status).toBe('running');
      if (!lease) throw new Error('The generation was not free.');
      deps().clock.advance(60_000);
      // Local work of a lost worker does not start again for a revoked key.
      await run(first);
      await advanceAll(deps(), id);
      const ended = await getRun(admin, id);
      expect(stepStatuses(ended)).toEqual({ a: 'canceled', b: 'stopped', c: 'stopped', d: 'stopped' });
      expect(ended).toMatchObject({
        status: 'failed',
        error: {
          message: '“a” was canceled: The key “Intern” was revoked before this generation started.',
          retryable: true,
        },
      });
      expect((await listRunEntries(admin, id)).map(({ type }) => type)).toEqual(['RELEASE', 'RESERVE']);
    });

    it('starts no further steps of its runs', async () => {
      const { admin, member, key_id } = await open();
      const steps = [
        imageStep('a', 'a pear'),
        imageStep('b', 'b', { needs: ['a'] }),
        imageStep('c', 'c', { needs: ['b'] }),
      ];
      const { id } = await startTestRun(member, { steps });
      await advanceRun(deps(), id, neverAborted);
      const [first = ''] = await listActiveGenerations(deps().db, id);
      await run(first);
      await revoke(admin, key_id);
      await advanceAll(deps(), id);
      const ended = await getRun(admin, id);
      expect([ended.status, stepStatuses(ended)]).toEqual(['failed', { a: 'succeeded', b: 'failed', c: 'stopped' }]);
      const message = 'The key “Intern” was revoked, so this step did not start.';
      expect(findStep(ended, 'b').error).toEqual({ code: 'key_revoked', message, retryable: true });
      expect(ended.error?.message).toBe(`“b” failed: ${message}`);
      const retry = { params: { workflow_run_id: id }, idempotency_key: 'again' };
      expect((await admin.call('retry_workflow_run', retry)).body.status).toBe('queued');
    });

    it('is never the last organization key, even with concurrent requests', async () => {
      const admin = await service.createOrganization('1');
      const { data } = (await admin.call('list_api_keys')).body;
      const [only = { id: '', name: '' }] = data;
      const refused = await admin.callError('delete_api_key', { params: { key_id: only.id } });
      expect([refused.status, refused.error.code, refused.error.message]).toEqual([
        409,
        'last_admin_key',
        `“${only.name}” is the last organization key. Create another organization key first, then revoke this one.`,
      ]);
      const add = async () => (await admin.call('create_api_key', { body: { name: 'B', kind: 'organization' } })).body;
      const added = await add();
      const both = [only.id, added.id].map((key_id) => revokeKey(deps(), shellActor(admin.organization_id), key_id));
      const outcomes = (await Promise.allSettled(both)).map(({ status }) => status).sort();
      expect(outcomes).toEqual(['fulfilled', 'rejected']);
    });
  },
);
