import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { eq } from 'drizzle-orm';
import { WEBHOOK_EVENT_TYPES } from '#contract/resources/webhook.ts';
import { webhookEndpoints } from '#server/platform/db/schema/webhook-schema.ts';
import {
  type TestOrganization,
  describeOnBothDatabases,
} from '#server/studio/generations/testing/shared-service-fixture.ts';
import { type WebhookReceiver, startWebhookReceiver } from './testing/webhook-receiver.ts';
import { createDelivererFixture } from './testing/deliverer-fixture.ts';

let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
afterAll(() => receiver.close());

describeOnBothDatabases(
  'webhook endpoints',
  () => ({ fetcher: receiver.fetcher }),
  (service) => {
    const deliverer = createDelivererFixture(service);
    let organization: TestOrganization;
    beforeEach(async () => {
      organization = await service.createOrganization('1');
    });
    const list = async () => (await organization.call('list_webhook_endpoints')).body.data;

    it('are created with a secret that is shown once and stored encrypted', async () => {
      const url = 'https://public.test:8443/hooks?token=1';
      const { body } = await organization.call('create_webhook_endpoint', {
        body: { url, events: ['generation.failed'] },
      });
      expect(body).toEqual({
        id: body.id,
        url,
        events: ['generation.failed'],
        secret: expect.stringMatching(/^whsec_.{43}$/),
      });
      expect(await list()).toEqual([
        {
          id: body.id,
          url,
          events: ['generation.failed'],
          status: 'enabled',
          created_at: expect.any(String),
          last_delivery_at: null,
          last_delivery_status: null,
          health: {
            window_days: 7,
            attempts: 0,
            failed_attempts: 0,
            failing_since: null,
            disabled_at: null,
            warning: null,
          },
          previous_secret_expires_at: null,
        },
      ]);
      const { db, secrets } = service.get().deps;
      const [row] = await db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, body.id));
      expect(JSON.stringify(row)).not.toContain(body.secret.slice(6));
      expect(secrets.decrypt('webhook-secret', body.id, row?.secret_sealed ?? '')).toBe(body.secret);
      expect(secrets.decrypt('webhook-secret', 'another', row?.secret_sealed ?? '')).toBeNull();
    });

    it.each([
      ['http://public.test/', 422],
      ['ftp://public.test/', 422],
      ['public.test', 422],
      ['https://@public.test/', 422],
      ['https://user:pass@public.test/', 422],
      ['https://0x7f.1/', 422],
      ['https://127.0.0.2/', 400],
      ['https://[::1]/', 400],
      ['https://169.254.169.254/latest', 400],
      ['https://inside.test/', 400],
      ['https://nowhere.test/', 400],
      ['https://trouble.test/', 503],
    ])('reject the URL: %s', async (url, status) => {
      const body = { url, events: ['generation.succeeded'] };
      const refusal = await organization.callError('create_webhook_endpoint', { body });
      expect([refusal.status, refusal.error.code]).toEqual([
        status,
        status === 503 ? 'service_unavailable' : 'invalid_request',
      ]);
      expect(await list()).toEqual([]);
    });

    it.each([
      [[]],
      [['generation.canceled']],
      [['generation.failed', 'generation.failed']],
      ['generation.failed'],
      [null],
    ])('reject the events %j', async (events) => {
      const refusal = await organization.callError('create_webhook_endpoint', {
        body: { url: 'https://public.test/', events },
      });
      expect([refusal.status, refusal.error.code]).toEqual([422, 'invalid_request']);
    });

    it('require an organization key', async () => {
      const { call, callError, keys } = service.get();
      const url = 'https://public.test/';
      const endpoints = (await call('create_webhook_endpoint', { body: { url, events: [...WEBHOOK_EVENT_TYPES] } }))
        .body;
      const params = { endpoint_id: endpoints.id };
      const refusals = [
        await callError('list_webhook_endpoints', { key: keys.member }),
        await callError('delete_webhook_endpoint', { key: keys.member, params }),
        await callError('list_webhook_deliveries', { key: keys.member, params }),
      ];
      expect(refusals.map(({ status, error }) => [status, error.code])).toEqual(
        refusals.map(() => [401, 'authentication_error']),
      );
    });

    it('are deleted with their secret, and receive nothing more', async () => {
      const { id } = await deliverer.register(organization, receiver.url('/deleted'));
      const params = { endpoint_id: id };
      await organization.call('test_webhook_endpoint', { params });
      expect((await organization.call('delete_webhook_endpoint', { params })).status).toBe(204);
      expect(await list()).toEqual([]);
      await deliverer.start();
      const other = await deliverer.register(organization, receiver.url('/other'));
      await organization.call('test_webhook_endpoint', { params: { endpoint_id: other.id } });
      await deliverer.waitForAttempts(organization, other.id, 1);
      await deliverer.stop();
      expect(receiver.receivedAt('/deleted')).toEqual([]);
      const refusals = [
        await organization.callError('delete_webhook_endpoint', { params }),
        await organization.callError('list_webhook_deliveries', { params }),
        await organization.callError('test_webhook_endpoint', { params }),
        await organization.callError('rotate_webhook_secret', { params }),
        await organization.callError('enable_webhook_endpoint', { params }),
        await organization.callError('recover_webhook_endpoint', { params, body: { since: '2026-01-01T00:00:00Z' } }),
      ];
      expect(new Set(refusals.map(({ error }) => error.code))).toEqual(new Set(['webhook_endpoint_not_found']));
      const [row] = await service.get().deps.db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id));
      expect(row).toMatchObject({ secret_sealed: '', previous_secret_sealed: null });
    });

    it('have UUIDs as ids', async () => {
      const refusal = await organization.callError('delete_webhook_endpoint', { params: { endpoint_id: 'no-uuid' } });
      expect([refusal.status, refusal.error.code]).toEqual([422, 'invalid_request']);
      const { id } = await deliverer.register(organization, 'https://public.test/');
      await organization.call('delete_webhook_endpoint', { params: { endpoint_id: id.toUpperCase() } });
    });
  },
);
