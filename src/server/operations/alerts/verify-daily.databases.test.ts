import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { eq, sql } from 'drizzle-orm';
import type { Verification } from '#contract/resources/audit.ts';
import { ledgerVerifications } from '#server/platform/db/schema/alert-schema.ts';
import {
  type TestOrganization,
  describeOnBothDatabases,
} from '#server/studio/generations/testing/shared-service-fixture.ts';
import { startMailer } from '#server/platform/mail/start-mailer.ts';
import { type FakeMailServer, startFakeMailServer } from '#server/app/testing/fake-mail-server.ts';
import { createDelivererFixture } from '#server/studio/webhooks/testing/deliverer-fixture.ts';
import { type WebhookReceiver, startWebhookReceiver } from '#server/studio/webhooks/testing/webhook-receiver.ts';
import { startAlerts } from './start-alerts.ts';
import { DAY_MS, createAlertsFixture, verifySignature } from './testing/alerts-fixture.ts';
import { verifyDaily } from './verify-daily.ts';

let mail: FakeMailServer;
let receiver: WebhookReceiver;
beforeAll(async () => {
  [mail, receiver] = await Promise.all([startFakeMailServer(), startWebhookReceiver()]);
});
afterAll(() => Promise.all([mail.close(), receiver.close()]));

describeOnBothDatabases(
  'the daily verification',
  () => ({
    fetcher: receiver.fetcher,
    config: { mail: { smtp_url: mail.url, from: 'Emulsion <studio@example.com>' } },
  }),
  (service) => {
    const alerts = createAlertsFixture(service);
    const deliverer = createDelivererFixture(service);
    let organization: TestOrganization;
    beforeEach(async () => {
      mail.received.length = 0;
      organization = await service.createOrganization('20');
    });

    /** Verifies twice at once, like two workers. */
    const verify = async () => {
      const { deps } = service.get();
      const run = () => verifyDaily(deps, organization.organization_id, new AbortController().signal);
      await Promise.all([run(), run()]);
    };
    const readResults = () =>
      service
        .get()
        .deps.db.select()
        .from(ledgerVerifications)
        .where(eq(ledgerVerifications.organization_id, organization.organization_id))
        .orderBy(ledgerVerifications.date);
    const tamper = (statement: string) =>
      service.get().deps.db.transaction(async (tx) => {
        await tx.execute(sql`alter table ledger_entries disable trigger user`);
        await tx.execute(sql.raw(`${statement} where organization_id = '${organization.organization_id}'`));
        await tx.execute(sql`alter table ledger_entries enable trigger user`);
      });

    it('is stored once a day, and sent by webhook and mail with number and hash of the last entry', async () => {
      const { deps } = service.get();
      await organization.call('update_settings', { body: { alerts: { verification_mail_to: 'keeper@example.org' } } });
      const { id, secret } = await deliverer.register(organization, receiver.url('/verified'), ['ledger.verified']);
      await verify();
      await verify();
      const results = await readResults();
      expect(results).toMatchObject([{ ok: true, result: { problem: null } }]);
      const { head_seq, head_hash } = results[0] ?? {};
      expect(head_hash).toMatch(/^[0-9a-f]{64}$/);
      await deliverer.start();
      await deliverer.waitForAttempts(organization, id, 1);
      await deliverer.stop();
      const [sent] = receiver.receivedAt('/verified').slice(-1);
      if (!sent) throw new Error('Nothing arrived.');
      verifySignature(sent, secret, deps.clock.now());
      expect(sent.event.type).toBe('ledger.verified');
      expect((sent.event.data.object as Verification).head).toEqual({ seq: Number(head_seq), hash: head_hash });
      expect((await deliverer.listDeliveries(organization, id)).map(({ status }) => status)).toEqual(['succeeded']);
      const stop = await startMailer(deps);
      await expect.poll(() => mail.received.length).toBe(1);
      await stop();
      expect(mail.received[0]?.to).toEqual(['keeper@example.org']);
      expect(mail.received[0]?.text).toContain(`Last entry: ${head_seq}\r\nHash: ${head_hash}`);
      deps.clock.advance(DAY_MS);
      await verify();
      expect(await readResults()).toHaveLength(2);
    });

    it('raises an alert when an entry was changed, until a verification is good again', async () => {
      await tamper("update ledger_entries set description = 'x' || description");
      await verify();
      const [alert, ...others] = await alerts.list(organization, 'verification_mismatch');
      expect(others).toEqual([]);
      expect(alert).toMatchObject({ status: 'open' });
      expect(alert?.message).toMatch(/^The daily verification failed\. .+\.$/);
      await tamper('update ledger_entries set description = substr(description, 2)');
      service.get().deps.clock.advance(DAY_MS);
      await verify();
      expect((await readResults()).map(({ ok }) => ok)).toEqual([false, true]);
      expect(await alerts.list(organization, 'verification_mismatch')).toMatchObject([{ status: 'resolved' }]);
    });

    it('finds a ledger that was written anew since the last good verification, day after day', async () => {
      await verify();
      await service
        .get()
        .deps.db.update(ledgerVerifications)
        .set({ head_hash: 'f'.repeat(64) })
        .where(eq(ledgerVerifications.organization_id, organization.organization_id));
      for (const day of [1, 2]) {
        service.get().deps.clock.advance(DAY_MS);
        await verify();
        expect((await alerts.list(organization, 'verification_mismatch')).length).toBe(day);
      }
      const problems = (await readResults()).map(({ result }) => result.problem?.check ?? null);
      expect(problems).toEqual([null, 'known_head', 'known_head']);
    });

    it('runs in a worker, of each organization', async () => {
      const { deps } = service.get();
      const stop = await startAlerts(deps, new AbortController().signal, 20);
      await expect.poll(async () => (await readResults()).length).toBe(1);
      await expect.poll(async () => alerts.list(organization)).toEqual([]);
      await organization.call('update_settings', { body: { alerts: { low_balance_usd: '30' } } });
      await expect.poll(async () => (await alerts.list(organization)).map(({ kind }) => kind)).toEqual(['low_balance']);
      await stop();
    });
  },
);
