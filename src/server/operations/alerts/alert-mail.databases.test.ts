import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { eq } from 'drizzle-orm';
import { people } from '#server/platform/db/schema/people-schema.ts';
import { describeOnBothDatabases } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { startMailer } from '#server/platform/mail/start-mailer.ts';
import { type FakeMailServer, startFakeMailServer } from '#server/app/testing/fake-mail-server.ts';
import { createDelivererFixture } from '#server/studio/webhooks/testing/deliverer-fixture.ts';
import { type WebhookReceiver, startWebhookReceiver } from '#server/studio/webhooks/testing/webhook-receiver.ts';
import { createAlertsFixture, verifySignature } from './testing/alerts-fixture.ts';

let mail: FakeMailServer;
let receiver: WebhookReceiver;
beforeAll(async () => {
  [mail, receiver] = await Promise.all([startFakeMailServer(), startWebhookReceiver()]);
});
beforeEach(() => {
  mail.received.length = 0;
});
afterAll(() => Promise.all([mail.close(), receiver.close()]));

describeOnBothDatabases(
  'an alert',
  () => ({
    fetcher: receiver.fetcher,
    config: { mail: { smtp_url: mail.url, from: 'Emulsion <studio@example.com>' } },
  }),
  (service) => {
    const alerts = createAlertsFixture(service);
    const deliverer = createDelivererFixture(service);

    it('is mailed once to administrators with a confirmed address and to further addresses', async () => {
      const { deps, organization_id, call, addPerson } = service.get();
      for (const [role, name] of [
        ['administrator', 'Anna'],
        ['auditor', 'Max'],
        ['member', 'Mia'],
      ] as const)
        await addPerson(role, name);
      const { person } = await addPerson('administrator', 'Unconfirmed');
      const unconfirmed = { email: null, pending_email: 'unconfirmed@example.com' };
      await deps.db.update(people).set(unconfirmed).where(eq(people.id, person.id));
      const mail_to = ['ops@example.org', 'anna@example.com'];
      await call('update_settings', { body: { alerts: { low_balance_usd: '1000', mail_to } } });
      const operator = { organization_id, call };
      await alerts.check(operator);
      await alerts.check(operator);
      await call('update_settings', { body: { alerts: { mail_roles: ['auditor'], mail_to: [] } } });
      await call('set_budget', { body: { scope: 'organization', limit_usd: '0' } });
      await alerts.check(operator);
      const stop = await startMailer(deps);
      await expect.poll(() => mail.received.length).toBe(3);
      await stop();
      const to = (subject: string) =>
        mail.received.filter(({ source }) => source.includes(`Subject: ${subject}`)).flatMap((each) => each.to);
      const sent = mail.received.map(({ to, text }) => ({ to: to.join(), text }));
      expect(sent.map((each) => each.to).sort()).toEqual(['anna@example.com', 'max@example.com', 'ops@example.org']);
      expect(to('=?UTF-8?Q?Low_balance').sort()).toEqual(['anna@example.com', 'ops@example.org']);
      expect(sent.find((each) => each.to === 'ops@example.org')?.text).toMatch(
        /are available, less than \$1,?000\.00\.[\s\S]*http:\/\/localhost:\d+\/alerts/,
      );
    });

    it('is delivered to webhook endpoints with a valid signature', async () => {
      const organization = await service.createOrganization('3');
      const { id, secret } = await deliverer.register(organization, receiver.url('/alerts'), ['alert.raised']);
      await alerts.check(organization);
      await deliverer.start();
      const delivery = await deliverer.waitForAttempts(organization, id, 1);
      await deliverer.stop();
      const sent = receiver.receivedAt('/alerts').slice(-1)[0];
      const [alert] = await alerts.list(organization);
      expect(sent?.event).toMatchObject({ type: 'alert.raised', data: { object: alert } });
      expect(delivery).toMatchObject({ status: 'succeeded', event_type: 'alert.raised', generation_id: null });
      if (!sent) throw new Error('Nothing arrived.');
      const { clock } = service.get().deps;
      verifySignature(sent, secret, clock.now());
      expect(() => verifySignature(sent, 'whsec_other', clock.now())).toThrow(/signature/);
    });

    it.each(['alert.raised', 'ledger.verified'] as const)('can be tested at an endpoint for %s', async (type) => {
      const organization = await service.createOrganization('20');
      const { id } = await deliverer.register(organization, receiver.url('/test'), [type]);
      const { body } = await organization.call('test_webhook_endpoint', { params: { endpoint_id: id } });
      expect(body).toMatchObject({ event_type: type, generation_id: null, test: true });
    });
  },
);
