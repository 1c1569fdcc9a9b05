import { expect, it } from 'vitest';
import { createTestClock } from '#server/app/testing/test-clock.ts';
import { PRICED_REQUESTS } from '#server/accounts/billing/testing/ledger-fixture.ts';
import { createConnection } from '#server/models/connections/connections.ts';
import { providerBillingKeys } from '#server/platform/db/schema/provider-schema.ts';
import { claimGeneration } from '#server/studio/generations/generation-lease.ts';
import { settleSucceeded } from '#server/studio/generations/settle-generation.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import {
  describeOnBothDatabases,
  type TestOrganization,
} from '#server/studio/generations/testing/shared-service-fixture.ts';
import { markSubmitting, recordAccepted } from '#server/studio/generations/upstream/upstream-job.ts';
import { createAlertsFixture, DAY_MS } from './testing/alerts-fixture.ts';

const clock = createTestClock(new Date('2026-10-20T08:00:00.000Z'));

describeOnBothDatabases(
  'Alerts of bills',
  () => ({ engines: [createScriptedEngine()], clock }),
  (service) => {
    const { check, list } = createAlertsFixture(service);
    const add = async ({ call }: TestOrganization, month: string, amount: string) => {
      const query = { provider_id: 'file:painter', month, filename: 'bill.csv' };
      const file = Buffer.from(`Date,Cost\n${month}-20,${amount}\n`);
      return (await call('create_provider_bill', { query, file })).body.id;
    };
    const remove = ({ call }: TestOrganization, bill_id: string) =>
      call('delete_provider_bill', { params: { bill_id } });

    it('are raised for a past month that differs by more than the set percentage of our cost', async () => {
      const studio = await service.createOrganization('100.00');
      const { deps } = service.get();
      const { id } = (await studio.call('create_generation', { body: PRICED_REQUESTS[0].body })).body;
      const lease = await claimGeneration(deps, id);
      if (!lease) throw new Error('It could not be claimed.');
      await markSubmitting(deps, lease, { name: 'painter/image' }, {});
      await recordAccepted(deps, lease, { request_id: 'r-1' });
      const completion = { cost_micro_usd: 40_000_000n, cost_basis: 'list' as const, handle: undefined };
      await settleSucceeded(deps, lease, { outputs: [], data: null, lengths: {} }, completion);

      const early = await add(studio, '2026-10', '41.00');
      await check(studio);
      expect(await list(studio, 'bill_differs')).toEqual([]);
      clock.advance(14 * DAY_MS);
      await check(studio);
      expect(await list(studio, 'bill_differs')).toMatchObject([
        {
          status: 'open',
          period: '2026-10',
          subject: { id: 'file:painter', name: 'painter' },
          message: 'painter billed $41.00 for October 2026: $1.00 more than our cost of $40.00.',
        },
      ]);

      await remove(studio, early);
      const near = await add(studio, '2026-10', '39.30');
      await check(studio);
      expect(await list(studio, 'bill_differs')).toMatchObject([{ status: 'resolved' }]);
      await studio.call('update_settings', { body: { alerts: { bill_difference_percent: 1 } } });
      await check(studio);
      expect(await list(studio, 'bill_differs')).toMatchObject([{ status: 'open' }]);
      await studio.call('update_settings', { body: { alerts: { bill_difference_percent: null } } });
      await check(studio);
      expect(await list(studio, 'bill_differs')).toMatchObject([{ status: 'resolved' }]);

      await studio.call('update_settings', { body: { alerts: { bill_difference_percent: 0 } } });
      await remove(studio, near);
      await add(studio, '2026-10', '40.004999999');
      await check(studio);
      expect(await list(studio, 'bill_differs')).toMatchObject([{ status: 'resolved' }]);
      const { error } = await studio.callError('update_settings', {
        body: { alerts: { bill_difference_percent: 101 } },
      });
      expect(error.code).toBe('invalid_request');
    });

    it('are raised once while the bills of a provider can’t be read, for whoever operates the service', async () => {
      const { deps, organization_id, call } = service.get();
      const operator = { organization_id, call };
      const draft = { provider: 'fal', api_key: 'fal-key', address: null, models: [], created_by: null } as const;
      const connection_id = await createConnection(deps, { ...draft, models: [] });
      const [failing_since] = [clock.now()];
      const { body: me } = await call('list_api_keys');
      const key = {
        connection_id,
        sealed_key: 'sealed',
        last_four: 'dmin',
        created_by: me.data[0]?.id ?? '',
        created_at: failing_since,
        due_at: failing_since,
      };
      await deps.db.insert(providerBillingKeys).values({ ...key, problem: 'This key is not valid.', failing_since });
      const other = await service.createOrganization('10.00');
      await check(operator);
      await check(other);
      expect(await list(operator, 'provider_paused')).toMatchObject([
        {
          status: 'open',
          subject: { id: connection_id, name: 'fal' },
          message: 'Bills of fal can’t be read. This key is not valid. Its models still run.',
        },
      ]);
      expect(await list(other, 'provider_paused')).toEqual([]);
      clock.advance(DAY_MS);
      await check(operator);
      expect(await list(operator, 'provider_paused')).toHaveLength(1);
      await deps.db.update(providerBillingKeys).set({ problem: null, failing_since: null });
      await check(operator);
      expect(await list(operator, 'provider_paused')).toMatchObject([{ status: 'resolved' }]);
    });
  },
);
