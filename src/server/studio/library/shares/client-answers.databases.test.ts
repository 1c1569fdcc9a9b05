import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { MAX_SHARE_ANSWERS } from '#contract/limits.ts';
import { auditEvents } from '#server/platform/db/schema/audit-schema.ts';
import { shares } from '#server/platform/db/schema/share-schema.ts';
import {
  describeOnBothDatabases,
  type TestOrganization,
} from '#server/studio/generations/testing/shared-service-fixture.ts';
import { useMediaFixture } from '#server/studio/generations/testing/media-fixture.ts';
import { createLibraryFixture } from '#server/studio/library/testing/library-fixture.ts';

const DAY_MS = 86_400_000;
const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

describeOnBothDatabases(
  'answers of clients on share pages',
  () => ({ config: { publicRateLimitPerMinute: 10_000 } }),
  (service) => {
    const media = useMediaFixture();
    const bench = createLibraryFixture(service, media);
    const pathOf = ({ url }: { url: string | null }) => (url ?? '').slice(service.get().deps.config.publicUrl.length);
    const share = async (studio: TestOrganization, body: Record<string, unknown>) =>
      (await studio.call('create_share', { body })).body;
    const eventsOf = (id: string) =>
      service.get().deps.db.select().from(auditEvents).where(eq(auditEvents.target_id, id)).orderBy(auditEvents.seq);

    /** A browser that keeps the cookie of the page. */
    function openBrowser(path: string, remoteAddress = '203.0.113.7') {
      let cookie = '';
      const read = async (url = path) => {
        const { statusCode, headers, body } = await service
          .get()
          .app.inject({ url, headers: { cookie }, remoteAddress });
        return { status: statusCode, headers, body };
      };
      const post = async (fields: Record<string, string>, headers: Record<string, string> = SAME_ORIGIN) => {
        const response = await service.get().app.inject({
          method: 'POST',
          url: path,
          headers: { cookie, 'content-type': 'application/x-www-form-urlencoded', ...headers },
          payload: new URLSearchParams(fields).toString(),
          remoteAddress,
        });
        const set = response.headers['set-cookie'];
        if (typeof set === 'string') cookie = set.split(';')[0] ?? '';
        return { status: response.statusCode, headers: response.headers, body: response.body };
      };
      const items = async () =>
        [...(await read()).body.matchAll(/name="item" value="([^"]+)"/g)].map(([, item = '']) => item);
      const enter = (name: string, code = '') => post({ do: 'enter', name, code });
      const answer = async (verdict: string, comment = '', at = 0) =>
        post({ do: verdict, comment, item: (await items())[at] ?? '', at: String(at), page: '1' });
      return { read, post, items, enter, answer };
    }

    async function startRequest(asks_for: 'picks' | 'approval' | 'comments', more: Record<string, unknown> = {}) {
      const studio = await service.createOrganization('1');
      const { id: media_id } = await bench.upload(studio, 'sunset.png');
      const created = await share(studio, { media_id, asks_for, title: 'First picks', ...more });
      return { studio, media_id, created, share_id: created.id, browser: openBrowser(pathOf(created)) };
    }

    it('have forms only where the page asks, and nothing happens on GET', async () => {
      const { studio, media_id, created, browser } = await startRequest('approval');
      const quiet = await openBrowser(pathOf(await share(studio, { media_id }))).read();
      expect(quiet.headers['content-security-policy']).toContain("form-action 'none'");
      expect([quiet.headers['referrer-policy'], quiet.body.includes('<form')]).toEqual(['no-referrer', false]);
      const asking = await browser.read();
      expect(asking.headers['content-security-policy']).toContain("form-action 'self'");
      expect(asking.headers['content-security-policy']).toContain("frame-ancestors 'none'");
      // Browsers send no origin with the forms of pages without a referrer.
      expect([asking.headers['referrer-policy'], asking.headers['set-cookie']]).toEqual(['same-origin', undefined]);
      expect(asking.body).toMatch(/<label for="name">Your name<\/label>/);
      expect(asking.body).not.toMatch(/Approve<|<script|style=|\son\w+=/);
      await browser.enter('Ana');
      const [item = ''] = await browser.items();
      await browser.read(`${pathOf(created)}?${new URLSearchParams({ do: 'approved', item, name: 'Eve' }).toString()}`);
      expect((await studio.call('list_share_answers')).body.data).toEqual([]);
    });

    it('are given after a name, changed and taken back, which the audit log records', async () => {
      const { studio, media_id, created, share_id, browser } = await startRequest('approval');
      expect((await browser.post({ do: 'approved', item: 'x' })).status).toBe(422);
      const entered = await browser.enter('  Ana\u0000\u202e  Lima ');
      expect([entered.status, entered.headers.location]).toEqual([303, `${pathOf(created)}?page=1`]);
      expect(entered.headers['set-cookie']).toMatch(
        new RegExp(`^emulsion_client=[\\w-]+; Max-Age=7776000; Path=${pathOf(created)}; HttpOnly; SameSite=Lax$`),
      );
      expect((await browser.read()).body).toContain('Answering as <b dir="auto">Ana Lima</b>');
      const approved = await browser.answer('approved', 'Lovely <b>light</b>');
      expect([approved.status, approved.headers.location]).toEqual([303, `${pathOf(created)}?page=1#f0`]);
      // The same again, as by a reload, changes nothing.
      await browser.answer('approved', 'Lovely <b>light</b>');
      const page = (await browser.read()).body;
      expect(page).toContain('✓ You approved this');
      expect(page).toContain('Lovely &lt;b&gt;light&lt;/b&gt;</textarea>');

      const answer = {
        client_name: 'Ana Lima',
        verdict: 'approved',
        comment: 'Lovely <b>light</b>',
        media_id,
        share_id,
      };
      expect((await bench.read(studio, media_id)).client_answers).toMatchObject([answer]);
      expect((await studio.call('list_share_answers')).body.data).toMatchObject([
        { ...answer, media_name: 'sunset.png' },
      ]);
      const find = (client_answer: string) => bench.list(studio, { client_answer });
      expect(await Promise.all(['any', 'approved', 'commented', 'picked', 'changes_requested'].map(find))).toEqual([
        [media_id],
        [media_id],
        [media_id],
        [],
        [],
      ]);
      expect((await studio.call('list_shares')).body.data[0]).toMatchObject({ answer_count: 1, asks_for: 'approval' });

      await browser.answer('changes_requested', 'Warmer');
      await browser.answer('withdraw');
      expect((await bench.read(studio, media_id)).client_answers).toEqual([]);
      const events = (await eventsOf(share_id)).slice(1);
      expect(events.map(({ action, after }) => [action, after?.['verdict'], after?.['comment']])).toEqual([
        ['share.answered', 'approved', 'Lovely <b>light</b>'],
        ['share.answered', 'changes_requested', 'Warmer'],
        ['share.answer_withdrawn', 'changes_requested', undefined],
      ]);
      expect(events[0]).toMatchObject({
        actor_type: 'client',
        actor_id: null,
        actor_name: 'Ana Lima (client)',
        address: '203.0.113.7',
        target_name: 'First picks',
        after: { file: 'sunset.png', media_id },
      });
    });

    it('are accepted from the page itself alone', async () => {
      const { studio, browser, created } = await startRequest('picks');
      await browser.enter('Ana');
      const [item = ''] = await browser.items();
      const fields = { do: 'picked', item };
      const foreign: Record<string, string>[] = [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { origin: 'null' },
        {},
      ];
      for (const headers of foreign)
        expect([headers, (await browser.post(fields, headers)).status]).toEqual([headers, 403]);
      const types = { ...SAME_ORIGIN, 'content-type': 'application/json' };
      expect((await browser.post(fields, types)).status).toBe(403);
      expect((await browser.post({ ...fields, comment: 'x'.repeat(40_000) })).status).toBe(403);
      expect((await studio.call('list_share_answers')).body.data).toEqual([]);
      expect((await browser.post(fields, { origin: service.get().deps.config.publicUrl })).status).toBe(303);
      // The cookie of another page says nothing here.
      const other = await startRequest('picks');
      const stranger = openBrowser(pathOf(other.created));
      await stranger.enter('Eve');
      const moved = openBrowser(pathOf(created));
      await moved.post(fields, { ...SAME_ORIGIN, cookie: 'emulsion_client=AAAA' });
      expect((await studio.call('list_share_answers')).body.data).toHaveLength(1);
    });

    it('take a code with few tries, which a new code ends', async () => {
      const { studio, share_id, browser, created } = await startRequest('picks', { code: 'amber-7' });
      expect(created.has_code).toBe(true);
      const wrong = await browser.enter('Ana', 'amber-8');
      expect([wrong.status, wrong.headers['set-cookie']]).toEqual([422, undefined]);
      expect(wrong.body).toContain('aria-describedby="code-problem"');
      expect(wrong.body).toContain('value="Ana"');
      expect((await browser.enter('Ana', ' amber-7 ')).status).toBe(303);
      expect((await browser.answer('picked')).status).toBe(303);
      const [row] = await service.get().deps.db.select().from(shares).where(eq(shares.id, share_id));
      expect(row?.code_hash).toMatch(/^[0-9a-f]{64}$/);
      const params = { share_id };
      await studio.call('update_share', { params, body: { title: 'Renamed' } });
      expect((await browser.answer('withdraw')).status).toBe(303);
      await studio.call('update_share', { params, body: { code: 'violet-9' } });
      expect(await browser.items()).toEqual([]);
      const guesser = openBrowser(pathOf(created), '198.51.100.9');
      for (let at = 0; at < 10; at += 1)
        expect((await guesser.enter('Eve', `guess-${at}`)).body).toContain('This code is not right.');
      const blocked = await guesser.enter('Eve', 'violet-9');
      expect([blocked.status, blocked.body.includes('Too many tries. Wait 15 minutes')]).toEqual([422, true]);
      expect((await browser.enter('Ana', 'violet-9')).status).toBe(303);
      expect(JSON.stringify((await eventsOf(share_id)).map(({ before, after }) => [before, after]))).not.toMatch(
        /amber-7|violet-9/,
      );
    });

    it('take the right code from any network while others guess', async () => {
      const { created } = await startRequest('picks', { code: 'amber-7' });
      const path = pathOf(created);
      const known = openBrowser(path, '203.0.113.20');
      await known.enter('Ana', 'amber-7');
      // Without a name, a try is counted and costs no time.
      for (let at = 0; at < 100; at += 1)
        await openBrowser(path, `198.51.100.${Math.floor(at / 10)}`).enter('', `guess-${at}`);
      // Now each network has two tries, and one of IPv6 is larger.
      const tries: boolean[] = [];
      for (const network of [
        '2001:db8:1:1::1',
        '2001:db8:1:2::1',
        '2001:db8:1:3::1',
        '192.0.2.1',
        '192.0.2.1',
        '192.0.2.1',
      ])
        tries.push((await openBrowser(path, network).enter('Eve', 'guess')).body.includes('This code is not right.'));
      expect(tries).toEqual([true, true, false, true, true, false]);
      expect((await known.answer('picked')).status).toBe(303);
      const client = openBrowser(path, '203.0.113.21');
      expect((await client.enter('Ben', 'amber-8')).status).toBe(422);
      expect((await client.enter('Ben', 'amber-7')).status).toBe(303);
    });

    it('keep what was typed when it is too long, and need a comment where one is asked for', async () => {
      const { browser } = await startRequest('comments');
      expect((await browser.enter(' ')).body).toContain('Enter your name');
      expect((await browser.enter('x'.repeat(61))).status).toBe(422);
      await browser.enter('Ana');
      const empty = await browser.answer('commented', ' \r\n ');
      expect([empty.status, empty.body.includes('Write a comment first.')]).toEqual([422, true]);
      const long = `${'ä'.repeat(2_000)}</textarea>`;
      const refused = await browser.answer('commented', long);
      expect([refused.status, refused.body.includes('up to 2,000 characters')]).toEqual([422, true]);
      expect(refused.body).toContain(`${'ä'.repeat(2_000)}&lt;/textarea&gt;</textarea>`);
      expect(refused.body).toContain('aria-describedby="note-0-problem"');
      // Characters beyond the basic plane count as one.
      expect((await browser.answer('commented', '🦊'.repeat(2_000))).status).toBe(303);
      expect((await browser.answer('approved')).body).toContain('This page does not ask for this any more.');
    });

    it('end with the page, the request and the file', async () => {
      const { studio, media_id, share_id, browser } = await startRequest('picks', { expires_in_days: 1 });
      await browser.enter('Ana');
      const [item = ''] = await browser.items();
      await browser.answer('picked');
      const params = { share_id };
      await studio.call('update_share', { params, body: { asks_for: null } });
      const closed = await browser.post({ do: 'withdraw', item });
      expect([closed.status, closed.body.includes('This page does not ask for answers.')]).toEqual([422, true]);
      expect((await browser.read()).body).not.toContain('<form');
      // Answers so far stay.
      expect((await bench.read(studio, media_id)).client_answers).toHaveLength(1);
      await studio.call('update_share', { params, body: { asks_for: 'picks' } });
      await studio.call('delete_media', { body: { ids: [media_id], to_trash: true } });
      expect((await browser.post({ do: 'withdraw', item })).status).toBe(404);
      expect((await studio.call('list_share_answers')).body.data).toMatchObject([{ media_name: null }]);
      await studio.call('restore_media', { body: { ids: [media_id] } });
      expect((await browser.post({ do: 'withdraw', item })).status).toBe(303);
      service.get().deps.clock.advance(DAY_MS);
      expect((await browser.post({ do: 'picked', item })).status).toBe(404);
      const second = await startRequest('picks');
      await second.browser.enter('Ana');
      await second.studio.call('revoke_share', { params: { share_id: second.share_id } });
      expect((await second.browser.post({ do: 'leave' })).status).toBe(404);
      expect((await openBrowser(`/s/${'A'.repeat(43)}`).enter('Ana')).status).toBe(404);
    });

    it('of a selection are about each file, also without downloads, and stay when one is gone', async () => {
      const studio = await service.createOrganization('1');
      const media_ids: string[] = [];
      for (const name of ['b.png', 'a.png']) media_ids.push((await bench.upload(studio, name)).id);
      const body = { media_ids: [...media_ids, media_ids[0]], asks_for: 'picks' };
      const created = await share(studio, body);
      expect(created).toMatchObject({ media_id: null, media_ids, name: 'b.png' });
      const [listed] = (await studio.call('list_shares', { query: { media_id: media_ids[1] ?? '' } })).body.data;
      expect(listed?.id).toBe(created.id);
      const browser = openBrowser(pathOf(created));
      await browser.enter('Ana');
      const [first = '', second = ''] = await browser.items();
      await browser.post({ do: 'picked', item: first });
      await browser.post({ do: 'picked', item: second });
      expect((await browser.read()).body.split('You picked this')).toHaveLength(3);
      await studio.call('delete_media', { body: { ids: [media_ids[0]], to_trash: true } });
      const gone = await browser.post({ do: 'withdraw', item: first });
      expect([gone.status, gone.body.includes('This file is no longer here. Nothing was saved.')]).toEqual([422, true]);
      expect(await browser.items()).toHaveLength(1);
      const unknown = { ...body, media_ids: [media_ids[1], `upl_${'0'.repeat(26)}`] };
      expect((await studio.callError('create_share', { body: unknown })).status).toBe(404);
      for (const wrong of [{ media_ids: [] }, { media_ids, media_id: media_ids[0] }, { media_ids, code: 'abc' }])
        expect((await studio.callError('create_share', { body: wrong })).status).toBe(422);
    });

    it('of two clients with one name stay apart, and each takes back only their own', async () => {
      const { studio, media_id, browser, created } = await startRequest('approval');
      const other = openBrowser(pathOf(created));
      await browser.enter('Ana');
      await other.enter('ana');
      await browser.answer('approved');
      await other.answer('changes_requested', 'Warmer');
      await other.answer('approved', 'Now it is fine');
      const names = async () =>
        (await bench.read(studio, media_id)).client_answers?.map(({ client_name, verdict }) => [client_name, verdict]);
      expect(await names()).toEqual([
        ['ana 2', 'approved'],
        ['Ana', 'approved'],
      ]);
      await other.answer('withdraw');
      expect(await names()).toEqual([['Ana', 'approved']]);
      await other.post({ do: 'leave' });
      expect((await other.read()).body).not.toContain('Answering as');
    });

    it('are limited for each page, while taking back stays possible', async () => {
      const { share_id, browser } = await startRequest('picks');
      const { db } = service.get().deps;
      await db
        .update(shares)
        .set({ taken_answers: MAX_SHARE_ANSWERS - 1 })
        .where(eq(shares.id, share_id));
      await browser.enter('Ana');
      expect((await browser.answer('picked')).status).toBe(303);
      const refused = await browser.answer('picked', 'More');
      expect([refused.status, refused.body.includes('This page takes no more answers.')]).toEqual([422, true]);
      expect((await browser.answer('withdraw')).status).toBe(303);
      let statuses: number[] = [];
      for (let at = 0; at < 70; at += 1) statuses = [...statuses, (await browser.post({ do: 'withdraw' })).status];
      expect([...new Set(statuses)]).toEqual([422]);
      expect((await browser.post({ do: 'withdraw' })).body).toContain('Too many tries.');
    });

    it('need a note when they request changes', async () => {
      const { browser } = await startRequest('approval');
      await browser.enter('Ana');
      const refused = await browser.answer('changes_requested');
      expect([refused.status, refused.body.includes('Write what should change')]).toEqual([422, true]);
      expect(refused.body).toMatch(/<details open>[\s\S]*aria-invalid="true"[^>]*autofocus/);
      expect((await browser.answer('changes_requested', 'Warmer')).status).toBe(303);
    });

    it('of one page are listed without those of others, and counted by file', async () => {
      const { studio, media_id, created, share_id, browser } = await startRequest('approval');
      const { id: second } = await bench.upload(studio, 'dawn.png');
      const picks = await share(studio, { media_ids: [media_id, second], asks_for: 'picks' });
      const other = openBrowser(pathOf(picks));
      await browser.enter('Ana');
      await browser.answer('approved');
      await other.enter('Bo');
      await other.answer('picked', 'This one', 1);
      expect(await bench.list(studio, { share_id })).toEqual([media_id]);
      expect(await bench.list(studio, { share_id: picks.id })).toEqual([second]);
      expect(await bench.list(studio, { share_id, client_answer: 'picked' })).toEqual([]);
      const stranger = await service.createOrganization('1');
      expect(await bench.list(stranger, { share_id })).toEqual([]);
      expect((await stranger.call('list_share_answers', { query: { share_id } })).body.data).toEqual([]);
      await other.answer('picked', 'And this', 0);
      const { data } = (await studio.call('list_media', { query: { share_id } })).body;
      expect(data.map(({ client_answers }) => client_answers?.map((each) => each.client_name))).toEqual([['Ana']]);
      const answers = await studio.call('list_share_answers', { query: { share_id: picks.id } });
      expect(answers.body.data.map(({ client_name }) => client_name)).toEqual(['Bo', 'Bo']);
      const third = openBrowser(pathOf(picks));
      await third.enter('Cy');
      await third.answer('picked');
      const rows = (await studio.call('list_shares')).body.data;
      expect(
        rows.map(({ id, answer_count, answered_count, file_count }) => [id, answer_count, answered_count, file_count]),
      ).toEqual([
        [picks.id, 3, 2, 2],
        [created.id, 1, 1, 1],
      ]);
    });

    it('have links to the files before and after, and count what is done', async () => {
      const studio = await service.createOrganization('1');
      const uploads = [];
      for (const name of ['a.png', 'b.png', 'c.png']) uploads.push(await bench.upload(studio, name));
      const created = await share(studio, { media_ids: uploads.map(({ id }) => id), asks_for: 'approval' });
      const browser = openBrowser(pathOf(created));
      await browser.enter('Ana');
      expect((await browser.read()).body).toContain('0 of 3 answered');
      await browser.answer('approved');
      const { body } = await browser.read();
      expect(body).toContain('1 of 3 answered <a href="#f1">Go to the next</a>');
      expect(body).toContain('<a href="#f0">← Previous</a><span>2 of 3</span><a href="#f2">Next →</a>');
      await browser.answer('approved', '', 1);
      await browser.answer('approved', '', 2);
      expect((await browser.read()).body).toContain('3 of 3 answered. Thank you!');
    });

    it('are asked for the newest version of a file, beside the one that it replaces', async () => {
      const { studio, media_id, created, share_id, browser } = await startRequest('approval');
      await browser.enter('Ana');
      await browser.answer('changes_requested', 'Warmer');
      const { id: newer } = await bench.upload(studio, 'warmer.png');
      const update = (add_version: { media_id: string; replaces: string }) => ({
        params: { share_id },
        body: { add_version },
      });
      const { body } = await studio.call('update_share', update({ media_id: newer, replaces: media_id }));
      expect(body).toMatchObject({
        media_ids: [media_id, newer],
        versions: [{ media_id: newer, replaces: media_id }],
        file_count: 1,
        answered_count: 0,
      });
      const page = (await browser.read()).body;
      expect(page).toMatch(/Version 1<[\s\S]*You asked for changes[\s\S]*Warmer[\s\S]*Version 2 · newest/);
      expect([...page.matchAll(/name="item"/g)]).toHaveLength(1);
      await browser.answer('approved', '', 0);
      expect((await studio.call('list_shares')).body.data[0]).toMatchObject({ answered_count: 1, file_count: 1 });
      expect((await eventsOf(share_id)).map(({ action }) => action)).toContain('share.updated');
      const wrong = [
        { media_id: `upl_${'0'.repeat(26)}`, replaces: newer },
        { media_id: (await bench.upload(studio, 'other.png')).id, replaces: media_id },
      ];
      const statuses = [];
      for (const each of wrong) statuses.push((await studio.callError('update_share', update(each))).status);
      expect(statuses).toEqual([404, 400]);
      expect(created.versions).toEqual([]);
    });

    it('are listed to who shared the page, and shown to those who see the file', async () => {
      const { studio, browser, media_id } = await startRequest('picks');
      await browser.enter('Ana');
      await browser.answer('picked');
      const other = await service.createOrganization('1');
      expect((await other.call('list_share_answers')).body.data).toEqual([]);
      expect(await bench.list(other, { client_answer: 'any' })).toEqual([]);
      expect((await studio.call('list_share_answers')).body.data).toHaveLength(1);
      const key = (await studio.call('create_api_key', { body: { name: 'x', kind: 'member' } })).body.key;
      const { data } = (await service.get().call('list_share_answers', { key })).body;
      expect(data).toEqual([]);
      const [seen] = (await service.get().call('list_media', { key })).body.data;
      expect([seen?.id, seen?.client_answers?.length]).toEqual([media_id, 1]);
    });
  },
);
