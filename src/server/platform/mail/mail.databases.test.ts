import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sql } from 'drizzle-orm';
import { describeOnBothDatabases } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { type FakeMailServer, startFakeMailServer } from '#server/app/testing/fake-mail-server.ts';
import { enqueueMail } from './enqueue-mail.ts';
import { startMailer } from './start-mailer.ts';

let server: FakeMailServer;
beforeAll(async () => {
  server = await startFakeMailServer();
});
beforeEach(() => {
  server.received.length = 0;
});
afterAll(() => server.close());

describeOnBothDatabases(
  'mail',
  () => ({ config: { mail: { smtp_url: server.url, from: 'Emulsion <studio@example.com>' } } }),
  (service) => {
    const enqueue = (text: string) => {
      const { deps, organization_id } = service.get();
      const message = { organization_id, to: 'anna@example.com', subject: 'Balance is low', text };
      return deps.db.transaction((tx) => enqueueMail(deps, tx, message));
    };

    it('is sent as text and HTML, and sealed while it waits', async () => {
      const { deps } = service.get();
      await enqueue('Open http://localhost/x#token=secret-text <now>.');
      const { rows } = (await deps.db.execute(sql`select data::text as data from pgboss.job`)) as {
        rows: { data: string }[];
      };
      const waiting = JSON.stringify(rows);
      expect(waiting).toContain('sealed');
      expect(waiting).not.toMatch(/secret-text|anna@/);
      const stop = await startMailer(deps);
      await expect.poll(() => server.received.length).toBe(1);
      await stop();
      const [mail] = server.received;
      expect(mail?.to).toEqual(['anna@example.com']);
      expect(mail?.text).toContain('Open http://localhost/x#token=secret-text <now>.');
      expect(mail?.source).toContain('Subject: Balance is low');
      expect(mail?.source).toMatch(/&lt;now&gt;/);
    });

    it('is retried while the mail server has a temporary problem', async () => {
      const rejected = server.rejected();
      server.rejectWith(451);
      await enqueue('Later.');
      const stop = await startMailer(service.get().deps);
      await expect.poll(() => server.rejected()).toBeGreaterThan(rejected);
      server.rejectWith(null);
      await expect.poll(() => server.received.length).toBe(1);
      await stop();
    });
  },
);
