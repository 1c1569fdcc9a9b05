import { afterAll, beforeAll, expect, it } from 'vitest';
import { startMailer } from '#server/platform/mail/start-mailer.ts';
import { type FakeMailServer, startFakeMailServer } from '#server/app/testing/fake-mail-server.ts';
import { describeOnBothDatabases } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { useMediaFixture } from '#server/studio/generations/testing/media-fixture.ts';
import { createLibraryFixture } from '#server/studio/library/testing/library-fixture.ts';
import { createAlertsFixture } from './testing/alerts-fixture.ts';

let mail: FakeMailServer;
beforeAll(async () => {
  mail = await startFakeMailServer();
});
afterAll(() => mail.close());

const MINUTE_MS = 60_000;

describeOnBothDatabases(
  'answers of a client',
  () => ({ config: { mail: { smtp_url: mail.url, from: 'Emulsion <studio@example.com>' } } }),
  (service) => {
    const media = useMediaFixture();
    const bench = createLibraryFixture(service, media);
    const alerts = createAlertsFixture(service);

    it('ring the bell when the client pauses or has approved all, and are mailed to who shared the page', async () => {
      const { deps, call, app, addPerson, organization_id } = service.get();
      const operator = { organization_id, call };
      const { session } = await addPerson('member', 'Mia');
      const studio = { ...(await service.createOrganization('1')), key: session };
      const ids = [];
      for (const name of ['a.png', 'b.png']) ids.push((await bench.upload(studio, name)).id);
      const body = { media_ids: ids, asks_for: 'approval', title: 'First picks' } as const;
      const { id, url } = (await call('create_share', { key: session, body })).body;
      const path = (url ?? '').slice(deps.config.publicUrl.length);
      let cookie = '';
      const post = async (fields: Record<string, string>) => {
        const headers = {
          cookie,
          'content-type': 'application/x-www-form-urlencoded',
          'sec-fetch-site': 'same-origin',
        };
        const payload = new URLSearchParams(fields).toString();
        const response = await app.inject({ method: 'POST', url: path, headers, payload });
        const set = response.headers['set-cookie'];
        if (typeof set === 'string') cookie = set.split(';')[0] ?? '';
      };
      const answer = async (at: number, verdict: string, comment = '') => {
        const page = (await app.inject({ url: path, headers: { cookie } })).body;
        const [, item = ''] = [...page.matchAll(/name="item" value="([^"]+)"/g)][at] ?? [];
        await post({ do: verdict, comment, item });
      };
      const open = async () => {
        await alerts.check(operator);
        const rows = (await call('list_alerts', { query: { status: 'open' } })).body.data;
        return rows.filter(({ subject }) => subject?.id === id).map(({ kind, message }) => [kind, message]);
      };
      await post({ do: 'enter', name: 'Ana' });
      await answer(0, 'changes_requested', 'Warmer');
      expect(await open()).toEqual([]);
      deps.clock.advance(3 * MINUTE_MS);
      expect(await open()).toEqual([
        ['client_answered', 'Ana answered 1 of 2 on “First picks”: 1 with changes requested.'],
      ]);
      await answer(0, 'approved');
      await answer(1, 'approved');
      expect(await open()).toEqual([['client_approved', 'Ana approved all 2 files of “First picks”.']]);
      const stop = await startMailer(deps);
      await expect.poll(() => mail.received.length).toBe(2);
      await stop();
      expect(mail.received.map(({ to }) => to)).toEqual([['mia@example.com'], ['mia@example.com']]);
      expect(mail.received[0]?.text).toContain(`/library?link=${id}`);
      deps.clock.advance(24 * 60 * MINUTE_MS);
      expect(await open()).toEqual([]);
    });
  },
);
