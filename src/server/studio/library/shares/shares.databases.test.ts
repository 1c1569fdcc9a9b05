import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { auditEvents } from '#server/platform/db/schema/audit-schema.ts';
import { mediaDerivatives } from '#server/platform/db/schema/derivative-schema.ts';
import { uploads } from '#server/platform/db/schema/schema.ts';
import { shares } from '#server/platform/db/schema/share-schema.ts';
import {
  describeOnBothDatabases,
  type TestOrganization,
} from '#server/studio/generations/testing/shared-service-fixture.ts';
import { useMediaFixture } from '#server/studio/generations/testing/media-fixture.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { createLibraryFixture } from '#server/studio/library/testing/library-fixture.ts';

const DAY_MS = 86_400_000;
const PROMPT = 'a secret fox <script>alert(1)</script>';

describeOnBothDatabases(
  'share pages',
  () => ({ engines: [createScriptedEngine()], config: { publicRateLimitPerMinute: 10_000 } }),
  (service) => {
    const media = useMediaFixture();
    const bench = createLibraryFixture(service, media);
    const outputOf = ({ output }: { output: { assets: { id: string }[] } }) => output.assets[0]?.id ?? '';
    const share = async (studio: TestOrganization, body: Record<string, unknown>) =>
      (await studio.call('create_share', { body })).body;
    const pathOf = ({ url }: { url: string | null }) => (url ?? '').slice(service.get().deps.config.publicUrl.length);
    const visit = async (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') => {
      const {
        statusCode,
        headers: sent,
        payload,
        rawPayload,
      } = await service.get().app.inject({ method, url, headers });
      return { status: statusCode, headers: sent, text: payload, bytes: rawPayload };
    };
    const linksIn = (html: string) => [
      ...new Set([...html.matchAll(/(?:src|href|poster)="(\/s\/[^"]+)"/g)].map(([, link = '']) => link)),
    ];
    /** Without the parts that differ in every response. */
    const plain = ({ 'x-request-id': _id, date: _date, ...headers }: Record<string, unknown>) => headers;

    it('show one file with a title, and count who looks at it', async () => {
      const studio = await service.createOrganization('1');
      const { id: media_id } = await bench.upload(studio, 'client-name.png');
      const created = await share(studio, { media_id, title: 'Fresh <b>prints</b>', allow_downloads: true });
      expect(created).toMatchObject({ status: 'active', name: 'client-name.png', view_count: 0, media_id });
      const page = await visit(pathOf(created));
      expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(page.text).toContain('<h1>Fresh &lt;b&gt;prints&lt;/b&gt;</h1>');
      await visit(pathOf(created), {}, 'HEAD');
      const [link = ''] = linksIn(page.text);
      const file = await visit(link);
      expect([file.status, file.headers['content-type'], file.bytes.subarray(1, 4).toString()]).toEqual([
        200,
        'image/png',
        'PNG',
      ]);
      const [listed] = (await studio.call('list_shares')).body.data;
      expect(listed).toMatchObject({ id: created.id, url: created.url, view_count: 1 });
      expect(listed?.last_viewed_at).not.toBeNull();
    });

    it('change while they are open, which the audit log records', async () => {
      const studio = await service.createOrganization('1');
      const { id: media_id } = await bench.upload(studio, 'a.png');
      const { id: share_id, ...created } = await share(studio, { media_id, title: 'Draft', allow_downloads: true });
      const body = { title: 'Final', allow_downloads: false, expires_in_days: null };
      const { body: changed } = await studio.call('update_share', { params: { share_id }, body });
      expect(changed).toMatchObject({ title: 'Final', allow_downloads: false, expires_at: null, url: created.url });
      const page = await visit(pathOf(created));
      expect(page.text).toContain('<h1>Final</h1>');
      const { db } = service.get().deps;
      const events = await db.select().from(auditEvents).where(eq(auditEvents.target_id, share_id));
      expect(events.map(({ action }) => action)).toEqual(['share.created', 'share.updated']);
      const other = await service.createOrganization('1');
      expect((await other.callError('update_share', { params: { share_id }, body })).status).toBe(404);
      await studio.call('revoke_share', { params: { share_id } });
      expect((await studio.callError('update_share', { params: { share_id }, body })).status).toBe(400);
    });

    it('reveal no id, name, key, organization, hash or prompt in any header or body', async () => {
      const studio = await service.createOrganization('50');
      const generation = await bench.generate(studio, PROMPT);
      const upload = await bench.upload(studio, 'client-name.png');
      const { body: collection } = await studio.call('create_collection', { body: { name: 'Internal pitch' } });
      const params = { collection_id: collection.id };
      const media_ids = [outputOf(generation), upload.id];
      await studio.call('add_collection_media', { params, body: { media_ids } });
      const created = await share(studio, { ...params, allow_downloads: true });
      const page = await visit(pathOf(created));
      const links = linksIn(page.text);
      expect(links.length).toBeGreaterThanOrEqual(3);
      const files = links.filter((link) => !link.endsWith('/credentials'));
      const answers = [page, ...(await Promise.all(files.map((link) => visit(link))))];
      const { sha256 } = (await studio.call('get_media', { params: { media_id: upload.id } })).body;
      const secrets = /(?:ast|upl|gen|col|shr|key|org|per)_|client-name|secret fox|Internal|scripted|imgmodel|Other/i;
      for (const { status, headers, text } of answers) {
        expect(status).toBe(200);
        expect(`${JSON.stringify(headers)} ${headers['content-type'] === 'image/png' ? '' : text}`).not.toMatch(
          secrets,
        );
        expect(JSON.stringify(headers)).not.toContain(sha256.slice(0, 16));
        expect(headers).toMatchObject({
          'cache-control': 'private, no-store',
          'referrer-policy': 'no-referrer',
          'x-robots-tag': 'noindex, nofollow',
          'x-content-type-options': 'nosniff',
        });
        expect([headers.etag, headers['last-modified'], headers['set-cookie']]).toEqual([
          undefined,
          undefined,
          undefined,
        ]);
      }
      const policy = String(page.headers['content-security-policy']);
      expect(policy).toMatch(/^default-src 'none'/);
      expect(policy).not.toMatch(/unsafe|script-src|https?:|\*/);
      expect(page.text).not.toMatch(/<script|style=|\son\w+=/);
    });

    it('show prompts and the organization only when the share says so', async () => {
      const studio = await service.createOrganization('50');
      const media_id = outputOf(await bench.generate(studio, PROMPT));
      const plain = (await visit(pathOf(await share(studio, { media_id })))).text;
      expect(plain).not.toMatch(/secret fox|Shared by/);
      const open = (await visit(pathOf(await share(studio, { media_id, show_prompts: true, show_organization: true }))))
        .text;
      expect(open).toContain('a secret fox &lt;script&gt;alert(1)&lt;/script&gt;');
      expect(open).toMatch(/Shared by \w+/);
    });

    it('show the beginning of a long prompt', async () => {
      const studio = await service.createOrganization('50');
      const media_id = outputOf(await bench.generate(studio, `${'A hen. '.repeat(4_000)}The end`));
      const { text } = await visit(pathOf(await share(studio, { media_id, show_prompts: true })));
      expect(text).toContain('A hen. A hen.');
      expect(text).not.toContain('The end');
      expect(text.length).toBeLessThan(20_000);
    });

    it('serve originals only with downloads, and previews without', async () => {
      const studio = await service.createOrganization('1');
      const { deps } = service.get();
      const { id: media_id } = await bench.upload(studio, 'a.png');
      const [link = ''] = linksIn((await visit(pathOf(await share(studio, { media_id, allow_downloads: true })))).text);
      const saved = await visit(`${link}?download=1`);
      expect(saved.headers['content-disposition']).toBe('attachment; filename="shared.png"');
      const closed = await share(studio, { media_id });
      expect((await visit(pathOf(closed))).text).toContain('The preview is not ready yet.');
      const [row] = await deps.db.select().from(uploads).where(eq(uploads.id, media_id));
      if (!row) throw new Error('The upload has no row.');
      const { storage_key, sha256, size_bytes } = row;
      const file = { mime_type: 'image/webp', width: 32, height: 32, type: 'image', sha256, size_bytes } as const;
      const variant = { source_key: storage_key, variant: 'thumbnail-320', created_at: deps.clock.now() } as const;
      await deps.db.insert(mediaDerivatives).values({ ...file, ...variant, storage_key });
      const [thumbnail = '', ...others] = linksIn((await visit(pathOf(closed))).text);
      expect([thumbnail, others]).toEqual([expect.stringMatching(/\?as=thumbnail-320$/), []]);
      const preview = await visit(`${thumbnail}&download=1`);
      expect([preview.status, preview.headers['content-type'], preview.headers['content-disposition']]).toEqual([
        200,
        'image/webp',
        'inline; filename="shared.png"',
      ]);
      const [path = ''] = thumbnail.split('?');
      for (const hidden of [path, `${path}?as=`, `${path}?as=waveform`, `${path}?as=a&as=b`, `${path}?download=1`])
        expect([hidden, (await visit(hidden)).status]).toEqual([hidden, 404]);
    });

    it('answer HEAD and range requests, for players', async () => {
      const studio = await service.createOrganization('1');
      const { id: media_id, size_bytes } = await bench.upload(studio, 'clip.mp4', media.clip());
      const { text } = await visit(pathOf(await share(studio, { media_id, allow_downloads: true })));
      expect(text).toMatch(/<video controls playsinline preload="none"/);
      const [link = ''] = linksIn(text);
      const head = await visit(link, {}, 'HEAD');
      expect([head.status, head.headers['content-length'], head.bytes.length]).toEqual([200, String(size_bytes), 0]);
      const part = await visit(link, { range: 'bytes=4-7' });
      expect([part.status, part.headers['content-range'], part.text]).toEqual([206, `bytes 4-7/${size_bytes}`, 'ftyp']);
      const whole = await visit(link, { range: 'bytes=4-7', 'if-range': '"x"' });
      expect([whole.status, whole.bytes.length]).toEqual([200, size_bytes]);
      expect((await visit(link, { range: `bytes=${size_bytes}-` })).status).toBe(416);
    });

    it('look the same when they are unknown, expired, revoked or switched off, and so do their files', async () => {
      const studio = await service.createOrganization('1');
      const { clock } = service.get().deps;
      const { id: media_id } = await bench.upload(studio, 'a.png');
      const open = { media_id, allow_downloads: true };
      const expiring = await share(studio, { ...open, expires_in_days: 1 });
      const revoked = await share(studio, { ...open, expires_in_days: null });
      const lasting = await share(studio, { ...open, expires_in_days: 365 });
      const unknown = await visit(`/s/${'A'.repeat(43)}`);
      expect(unknown.status).toBe(404);
      const links = new Map<string, string>();
      for (const each of [expiring, revoked, lasting])
        links.set(each.id, linksIn((await visit(pathOf(each))).text)[0] ?? '');
      const expectGone = async (each: { id: string; url: string | null }) => {
        for (const path of [pathOf(each), links.get(each.id) ?? '', `${pathOf(each)}?page=2`]) {
          const found = await visit(path);
          expect([found.status, found.text, plain(found.headers)]).toEqual([404, unknown.text, plain(unknown.headers)]);
        }
      };
      clock.advance(DAY_MS);
      await expectGone(expiring);
      await studio.call('revoke_share', { params: { share_id: revoked.id } });
      await expectGone(revoked);
      await studio.call('update_settings', { body: { sharing_enabled: false } });
      await expectGone(lasting);
      const off = await studio.callError('create_share', { body: open });
      expect([off.status, off.error.message]).toEqual([400, expect.stringContaining('switched off')]);
      const statuses = async (query = {}) =>
        (await studio.call('list_shares', { query })).body.data.map(({ status }) => status);
      expect(await statuses()).toEqual(['off', 'revoked', 'expired']);
      await studio.call('update_settings', { body: { sharing_enabled: true } });
      expect([await statuses({ state: 'open' }), await statuses({ state: 'ended' })]).toEqual([
        ['active'],
        ['revoked', 'expired'],
      ]);
      expect((await visit(pathOf(lasting))).status).toBe(200);
      for (const path of [
        '/s/',
        '/s/x',
        `/s/${'A'.repeat(43)}/x`,
        '/s/a/b/c',
        '/s/%00',
        '/s/%zz',
        `/s/${'A'.repeat(4_000)}`,
      ])
        expect([path, (await visit(path)).text]).toEqual([path, unknown.text]);
    });

    it('of a collection show only what is in it now', async () => {
      const studio = await service.createOrganization('1');
      const ids: string[] = [];
      for (const name of ['a.png', 'b.png', 'c.png']) ids.push((await bench.upload(studio, name)).id);
      const { id: collection_id } = (await studio.call('create_collection', { body: { name: 'Now' } })).body;
      const params = { collection_id };
      await studio.call('add_collection_media', { params, body: { media_ids: ids } });
      const created = await share(studio, { collection_id, allow_downloads: true });
      const shown = async () =>
        linksIn((await visit(pathOf(created))).text).filter((link) => !link.includes('download'));
      const before = await shown();
      expect(before).toHaveLength(3);
      const working = async () => (await Promise.all(before.map((link) => visit(link)))).map(({ status }) => status);
      await studio.call('remove_collection_media', { params, body: { media_ids: [ids[0]] } });
      await studio.call('delete_media', { body: { ids: [ids[1]], to_trash: true } });
      expect([(await shown()).length, await working()]).toEqual([1, [404, 404, 200]]);
      await studio.call('restore_media', { body: { ids: [ids[1]] } });
      expect([(await shown()).length, await working()]).toEqual([2, [404, 200, 200]]);
      // A link of one share opens nothing in another.
      const other = await share(studio, { collection_id, allow_downloads: true });
      const [, , last = ''] = before;
      expect((await visit(`${pathOf(other)}/${last.split('/').at(-1)}`)).status).toBe(404);
      await studio.call('delete_collection', { params });
      expect([(await visit(pathOf(created))).status, await working()]).toEqual([404, [404, 404, 404]]);
      const [listed] = (await studio.call('list_shares')).body.data;
      expect(listed).toMatchObject({ status: 'revoked', name: null, cover: null });
    });

    it('of a file end while it is in the trash', async () => {
      const studio = await service.createOrganization('1');
      const { id: media_id } = await bench.upload(studio, 'a.png');
      const created = await share(studio, { media_id, allow_downloads: true });
      const [link = ''] = linksIn((await visit(pathOf(created))).text);
      await studio.call('delete_media', { body: { ids: [media_id], to_trash: true } });
      expect([(await visit(pathOf(created))).status, (await visit(link)).status]).toEqual([404, 404]);
      expect((await studio.call('list_shares')).body.data[0]?.status).toBe('gone');
      await studio.call('restore_media', { body: { ids: [media_id] } });
      expect((await visit(link)).status).toBe(200);
    });

    it('cannot be created for media or collections of others, nor seen or revoked by them', async () => {
      const studio = await service.createOrganization('1');
      const other = await service.createOrganization('1');
      const { id: media_id } = await bench.upload(studio, 'a.png');
      const { id: collection_id } = (await studio.call('create_collection', { body: { name: 'Ours' } })).body;
      for (const body of [{ media_id }, { collection_id }])
        expect((await other.callError('create_share', { body })).status).toBe(404);
      for (const body of [
        {},
        { media_id, collection_id },
        { media_id, expires_in_days: 366 },
        { media_id, expires_in_days: 0 },
      ])
        expect((await studio.callError('create_share', { body })).status).toBe(422);
      const created = await share(studio, { media_id });
      expect((await other.call('list_shares', { query: { media_id } })).body.data).toEqual([]);
      expect((await other.callError('revoke_share', { params: { share_id: created.id } })).status).toBe(404);
      expect((await visit(pathOf(created))).status).toBe(200);
    });

    it('are recorded in the audit log without their secret, which is stored only encrypted', async () => {
      const studio = await service.createOrganization('1');
      const { db } = service.get().deps;
      const { id: media_id } = await bench.upload(studio, 'a.png');
      const created = await share(studio, { media_id });
      await studio.call('revoke_share', { params: { share_id: created.id } });
      await studio.call('revoke_share', { params: { share_id: created.id } });
      const events = await db.select().from(auditEvents).where(eq(auditEvents.target_id, created.id));
      expect(events.map(({ action }) => action)).toEqual(['share.created', 'share.revoked']);
      const rows = await db.select().from(shares).where(eq(shares.id, created.id));
      const token = pathOf(created).slice('/s/'.length);
      const text = JSON.stringify([events, rows], (_, value: unknown) =>
        typeof value === 'bigint' ? String(value) : value,
      );
      expect([token.length, text.includes(token)]).toEqual([43, false]);
    });
  },
);
