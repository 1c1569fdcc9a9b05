import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import type { AlertKind } from '#contract/alert-kinds.ts';
import { ledgerVerifications } from '#server/platform/db/schema/alert-schema.ts';
import { organizations } from '#server/platform/db/schema/organization-schema.ts';
import { providerConnections } from '#server/platform/db/schema/provider-schema.ts';
import { requests } from '#server/platform/db/schema/request-schema.ts';
import { webhookEndpoints } from '#server/platform/db/schema/webhook-schema.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import {
  type TestOrganization,
  describeOnBothDatabases,
} from '#server/studio/generations/testing/shared-service-fixture.ts';
import { dayOf } from './alert-cause.ts';
import { checkAlerts } from './check-alerts.ts';
import { DAY_MS, HOUR_MS, createAlertsFixture } from './testing/alerts-fixture.ts';

const ORDER = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'x' } };
const ENDPOINT_URL = 'https://93.184.216.34/secret-path';

describeOnBothDatabases(
  'alerts',
  () => ({ engines: [createScriptedEngine()] }),
  (service) => {
    const alerts = createAlertsFixture(service);
    const now = () => service.get().deps.clock.now();

    const setBudget = ({ call }: TestOrganization, limit_usd: string) =>
      call('set_budget', { body: { scope: 'organization', limit_usd } });
    const createEndpoint = async ({ call }: TestOrganization) => {
      const body = { url: ENDPOINT_URL, events: ['generation.failed'] };
      return (await call('create_webhook_endpoint', { body })).body.id;
    };
    const updateEndpoint = (id: string, set: Partial<typeof webhookEndpoints.$inferInsert>) =>
      service.get().deps.db.update(webhookEndpoints).set(set).where(eq(webhookEndpoints.id, id));

    /** Causes an alert. @returns how to end the cause */
    const CAUSES: Partial<Record<AlertKind, (organization: TestOrganization) => Promise<() => Promise<unknown>>>> = {
      async low_balance({ call }) {
        await call('update_settings', { body: { alerts: { low_balance_usd: '25' } } });
        return () => call('create_credit', { body: { amount_usd: '5', description: 'More' } });
      },
      async budget_warning(organization) {
        await setBudget(organization, '0.035');
        await organization.call('create_generation', { body: ORDER });
        return () => organization.call('delete_budget', { params: { budget_id: 'organization' } });
      },
      async budget_exhausted(organization) {
        await setBudget(organization, '0.03');
        const { body } = await organization.call('create_generation', { body: ORDER });
        return () => organization.call('cancel_generation', { params: { generation_id: body.id } });
      },
      async endpoint_failing(organization) {
        const id = await createEndpoint(organization);
        await updateEndpoint(id, { failing_since: new Date(now().getTime() - HOUR_MS) });
        return () => updateEndpoint(id, { failing_since: null });
      },
      async endpoint_disabled(organization) {
        const id = await createEndpoint(organization);
        await updateEndpoint(id, { failing_since: new Date(now().getTime() - 14 * DAY_MS), disabled_at: now() });
        return () => organization.call('enable_webhook_endpoint', { params: { endpoint_id: id } });
      },
      async review_waiting(organization) {
        const { body: budget } = await setBudget(organization, '5');
        const ask = { kind: 'budget', budget_id: budget.id, amount_usd: '1', note: 'More, please.' };
        const { body } = await organization.call('create_request', { body: ask });
        const created_at = new Date(now().getTime() - DAY_MS);
        await service.get().deps.db.update(requests).set({ created_at }).where(eq(requests.id, body.id));
        return () => organization.call('cancel_request', { params: { request_id: body.id } });
      },
      async unusual_spend(organization) {
        await alerts.setSpending(organization, [40, 10, 10]);
        return () => alerts.setSpending(organization, []);
      },
      async verification_mismatch({ organization_id }) {
        const { db } = service.get().deps;
        const problem = { check: 'chain', seq: 7, entry_id: null, message: 'Entry 7 was changed.' } as const;
        const result = {
          object: 'verification',
          ok: false,
          checked_entries: 6,
          head: null,
          checks: [],
          problem,
        } as const;
        const started_at = now().toISOString();
        const row = { organization_id, ok: false, result: { ...result, checks: [], started_at, duration_ms: 1 } };
        const date = dayOf(new Date(now().getTime() - DAY_MS));
        await db.insert(ledgerVerifications).values({ ...row, date, completed_at: now() });
        return () =>
          db.insert(ledgerVerifications).values({ ...row, ok: true, date: dayOf(now()), completed_at: now() });
      },
    };

    it.each(Object.entries(CAUSES))('%s is raised once, and resolved when its cause is over', async (kind, cause) => {
      const organization = await service.createOrganization('20');
      const end = await cause(organization);
      await alerts.check(organization);
      await alerts.check(organization);
      const [alert, ...others] = await alerts.list(organization);
      expect(others).toEqual([]);
      expect(alert).toMatchObject({ kind, status: 'open', resolved_at: null, raised_at: now().toISOString() });
      expect(alert?.message).toMatch(/\.$/);
      expect(alert?.message).not.toContain('secret-path');
      await end();
      await alerts.check(organization);
      expect((await alerts.list(organization)).map(({ id, status }) => [id, status])).toEqual([
        [alert?.id, 'resolved'],
      ]);
      expect(await alerts.countRaised(organization)).toBe(1);
    });

    it('is open again, but not raised again, when a cause comes back in the same period', async () => {
      const organization = await service.createOrganization('20');
      const end = await CAUSES.low_balance?.(organization);
      await alerts.check(organization);
      await end?.();
      await alerts.check(organization);
      await organization.call('update_settings', { body: { alerts: { low_balance_usd: '30' } } });
      await alerts.check(organization);
      const [alert, ...others] = await alerts.list(organization);
      expect(others).toEqual([]);
      expect(alert).toMatchObject({ status: 'open', message: '$25.00 are available, less than $30.00.' });
      expect(await alerts.countRaised(organization)).toBe(1);
    });

    it('stays one alert while a cause lasts for days, and is a new one on a later day', async () => {
      const organization = await service.createOrganization('20');
      const end = await CAUSES.low_balance?.(organization);
      await alerts.check(organization);
      service.get().deps.clock.advance(DAY_MS);
      await alerts.check(organization);
      expect(await alerts.countRaised(organization)).toBe(1);
      await end?.();
      await alerts.check(organization);
      await organization.call('update_settings', { body: { alerts: { low_balance_usd: '30' } } });
      await alerts.check(organization);
      expect((await alerts.list(organization)).map(({ status }) => status)).toEqual(['open', 'resolved']);
    });

    it('is raised again for a budget that was raised and is used up again', async () => {
      const organization = await service.createOrganization('20');
      await CAUSES.budget_exhausted?.(organization);
      await alerts.check(organization);
      await setBudget(organization, '0.06');
      await organization.call('create_generation', { body: ORDER });
      await alerts.check(organization);
      const usedUp = await alerts.list(organization, 'budget_exhausted');
      expect(usedUp.map(({ status }) => status)).toEqual(['open', 'resolved']);
      expect(usedUp[0]?.message).toMatch(
        /^The monthly budget of the organization is used up: all of \$0\.06 is spent or reserved\./,
      );
    });

    it('names what a budget limits as the dashboard does', async () => {
      const organization = await service.createOrganization('20');
      const tag = { params: { tag_name: 'client' }, body: { label: 'Client', required: false, values: null } };
      await organization.call('set_tag', tag);
      for (const scope of ['model:imgmodel-b-pro', 'tag:client=acme'])
        await organization.call('set_budget', { body: { scope, interval: 'day', limit_usd: '0' } });
      await alerts.check(organization);
      const names = (await alerts.list(organization, 'budget_exhausted')).map(({ subject }) => subject?.name);
      expect(names.sort()).toEqual(['ImgModel B Pro', 'client: acme']);
    });

    it('reminds every day of reviews that wait', async () => {
      const organization = await service.createOrganization('20');
      await CAUSES.review_waiting?.(organization);
      await alerts.check(organization);
      service.get().deps.clock.advance(DAY_MS);
      await alerts.check(organization);
      expect((await alerts.list(organization)).map(({ status }) => status)).toEqual(['open', 'resolved']);
    });

    it('is raised for a provider that the service paused, in the first organization only', async () => {
      const { deps, organization_id, call } = service.get();
      const operator = { organization_id, call };
      const other = await service.createOrganization('20');
      const row = { provider: 'fal' as const, models: [], created_at: now(), updated_at: now() };
      await deps.db.insert(providerConnections).values([
        { ...row, id: 'prv_service', state: 'paused', paused_reason: 'It rejected 3 jobs in a row:\n no credit' },
        { ...row, id: 'prv_person', state: 'paused', paused_reason: null },
      ]);
      await alerts.check(operator);
      await alerts.check(other);
      expect(await alerts.list(other)).toEqual([]);
      const paused = await alerts.list(operator, 'provider_paused');
      const message = 'fal is paused. It rejected 3 jobs in a row: no credit';
      expect(paused).toMatchObject([{ message, subject: { id: 'prv_service', name: 'fal' }, status: 'open' }]);
      await deps.db.update(providerConnections).set({ state: 'active', paused_reason: null });
      await alerts.check(operator);
      expect(await alerts.list(operator, 'provider_paused')).toMatchObject([{ status: 'resolved' }]);
    });

    it('is raised for a disk that is almost full, in the first organization only', async () => {
      const { deps, organization_id, call } = service.get();
      const operator = { organization_id, call };
      const other = await service.createOrganization('20');
      const config = { ...deps.config, minFreeBytes: 2_000_000_000 };
      const onDisk = (bytes: number) => ({
        ...deps,
        config,
        storage: { ...deps.storage, freeBytes: async () => bytes },
      });
      const low = onDisk(1_234_000_000);
      await checkAlerts(low, organization_id);
      await checkAlerts(low, organization_id);
      await checkAlerts(low, other.organization_id);
      expect(await alerts.list(other)).toEqual([]);
      const message = expect.stringMatching(/^1\.23 GB are free on the disk of media\./);
      expect(await alerts.list(operator, 'low_disk_space')).toMatchObject([{ status: 'open', subject: null, message }]);
      await checkAlerts({ ...low, config: { ...config, minFreeBytes: 0 } }, organization_id);
      expect(await alerts.list(operator, 'low_disk_space')).toMatchObject([{ status: 'resolved' }]);
    });

    it('is not raised without a threshold, or below other limits', async () => {
      const organization = await service.createOrganization('20');
      const { db } = service.get().deps;
      await db
        .update(organizations)
        .set({ low_balance_micro_usd: null })
        .where(eq(organizations.id, organization.organization_id));
      await setBudget(organization, '0.0376');
      await organization.call('create_generation', { body: ORDER });
      const id = await createEndpoint(organization);
      await updateEndpoint(id, { failing_since: new Date(now().getTime() - HOUR_MS + 1) });
      await alerts.check(organization);
      expect(await alerts.list(organization)).toEqual([]);
      await updateEndpoint(id, { failing_since: new Date(now().getTime() - HOUR_MS), deleted_at: now() });
      await alerts.check(organization);
      expect(await alerts.list(organization)).toEqual([]);
    });
  },
);
