import { Writable } from 'node:stream';
import pino from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { uploads } from '#server/platform/db/schema/schema.ts';
import { createId } from '#server/platform/core/create-id.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';

let service: TestService;
let logged = '';
const people = new Map<string, { session: string; media_id: string }>();

/** The file itself is not needed. */
async function addUpload(key: string): Promise<string> {
  const { key: own } = (await service.call('get_me', { key })).body;
  const id = createId('upl', new Date());
  const file = { type: 'image', mime_type: 'image/png', storage_key: `uploads/${id}.png`, size_bytes: 1 } as const;
  const { organization_id } = service;
  const row = { ...file, id, organization_id, created_by: own.id, sha256: 'a'.repeat(64), created_at: new Date() };
  await service.deps.db.insert(uploads).values(row);
  return id;
}

beforeAll(async () => {
  const stream = new Writable({
    write(chunk, _encoding, done) {
      logged += String(chunk);
      done();
    },
  });
  service = await createTestService({
    log: pino({ level: 'trace' }, stream),
    config: { publicRateLimitPerMinute: 40 },
  });
  for (const [name, role] of [
    ['Mia', 'member'],
    ['Noa', 'member'],
    ['Ada', 'administrator'],
    ['Aud', 'auditor'],
  ] as const) {
    const { session } = await service.addPerson(role, name);
    people.set(name, { session, media_id: await addUpload(session) });
  }
});
afterAll(() => service.close());

const person = (name: string) => {
  const found = people.get(name);
  if (!found) throw new Error(`${name} is not known.`);
  return { key: found.session, media_id: found.media_id };
};
const share = async (name: string, body: Record<string, unknown>) =>
  (await service.call('create_share', { key: person(name).key, body })).body;
const linksOf = async (name: string, query: Record<string, string> = {}) =>
  (await service.call('list_shares', { key: person(name).key, query })).body.data.map(({ id, url }) => [id, url]);
const visit = (url: string | null, address = '203.0.113.7') =>
  service.app.inject({ url: (url ?? '').slice(service.deps.config.publicUrl.length), remoteAddress: address });

it('members see their own shares, administrators all with their links, auditors all without', async () => {
  const mine = await share('Mia', { media_id: person('Mia').media_id });
  const other = await share('Noa', { media_id: person('Mia').media_id });
  expect(await linksOf('Mia')).toEqual([[mine.id, mine.url]]);
  expect(await linksOf('Ada')).toEqual([
    [other.id, other.url],
    [mine.id, mine.url],
  ]);
  expect(await linksOf('Aud')).toEqual([
    [other.id, null],
    [mine.id, null],
  ]);
  const params = { share_id: other.id };
  expect((await service.callError('revoke_share', { key: person('Mia').key, params })).status).toBe(404);
  await service.call('revoke_share', { key: person('Ada').key, params });
  expect((await visit(other.url)).statusCode).toBe(404);
  expect((await visit(mine.url)).statusCode).toBe(200);
});

it('a share shows no more than a member sees, where members see only their own work', async () => {
  const [mia, ada] = [person('Mia'), person('Ada')];
  const { id: collection_id } = (await service.call('create_collection', { key: mia.key, body: { name: 'Mia’s' } }))
    .body;
  const media_ids = [mia.media_id, ada.media_id];
  await service.call('add_collection_media', { key: ada.key, params: { collection_id }, body: { media_ids } });
  const { url } = await share('Mia', { collection_id });
  const count = async () => (await visit(url)).body.split('<figure>').length - 1;
  expect(await count()).toBe(2);
  await service.call('update_settings', { body: { members_see_own_work_only: true } });
  expect(await count()).toBe(1);
  const read = { key: mia.key, params: { collection_id } };
  expect((await service.call('get_collection', read)).body.media_count).toBe(1);
  const query = { collection_id };
  expect((await service.call('list_media', { key: mia.key, query })).body.data.map(({ id }) => id)).toEqual([
    mia.media_id,
  ]);
  const { key } = person('Noa');
  expect((await service.call('list_collections', { key })).body.data).toEqual([]);
  expect((await service.callError('get_collection', { ...read, key })).status).toBe(404);
  expect((await service.call('list_media', { key, query })).body.data).toEqual([]);
  for (const body of [{ media_id: mia.media_id }, { collection_id }])
    expect((await service.callError('create_share', { key, body })).status).toBe(404);
  const change = await service.call('add_collection_media', { ...read, body: { media_ids: [ada.media_id] } });
  expect(change.body.missing_ids).toEqual([ada.media_id]);
  await service.call('update_settings', { body: { members_see_own_work_only: false } });
});

it('a page of a file or collection of others is gone, where members see only their own work', async () => {
  const ada = person('Ada');
  const { id: collection_id } = (
    await service.call('create_collection', { key: ada.key, body: { name: 'Ada’s plan' } })
  ).body;
  const body = { media_ids: [person('Mia').media_id] };
  await service.call('add_collection_media', { key: ada.key, params: { collection_id }, body });
  const pages = [
    await share('Mia', { media_id: ada.media_id, allow_downloads: true, show_prompts: true }),
    await share('Mia', { collection_id, allow_downloads: true }),
  ];
  const files: string[] = [];
  for (const { url } of pages) {
    const page = await visit(url);
    expect(page.statusCode).toBe(200);
    const [, file = ''] = /src="([^"?]*\/s\/[^"?]*)/.exec(page.body) ?? [];
    if (file) files.push(file);
  }
  const adas = await share('Ada', { media_id: person('Mia').media_id });
  await service.call('update_settings', { body: { members_see_own_work_only: true } });
  for (const { url } of pages) expect((await visit(url)).statusCode).toBe(404);
  for (const url of files) expect((await service.app.inject({ url })).statusCode).toBe(404);
  expect((await visit(adas.url)).statusCode).toBe(200);
  const { data } = (await service.call('list_shares', { key: person('Mia').key })).body;
  const listed = data.filter(({ id }) => pages.some((page) => page.id === id));
  expect(listed.map(({ status, name, cover }) => [status, name, cover])).toEqual([
    ['gone', null, null],
    ['gone', null, null],
  ]);
  await service.call('update_settings', { body: { members_see_own_work_only: false } });
  for (const { url } of pages) expect((await visit(url)).statusCode).toBe(200);
});

it('the log has no token of a link', async () => {
  const { url } = await share('Mia', { media_id: person('Mia').media_id });
  const token = (url ?? '').split('/s/')[1] ?? '';
  expect((await visit(url)).statusCode).toBe(200);
  expect((await visit(`${url}/abc`)).statusCode).toBe(404);
  await visit(`${url}/%zz/x`);
  expect(token).toHaveLength(43);
  expect(logged).toContain('"path":"/s/…"');
  expect(logged).not.toContain(token);
});

it('an address that asks too often is told to wait, and others are not', async () => {
  const { url } = await share('Mia', { media_id: person('Mia').media_id });
  const statuses = new Set<number>();
  for (let at = 0; at < 45; at += 1) statuses.add((await visit(url, '198.51.100.9')).statusCode);
  expect([...statuses]).toEqual([200, 429]);
  const busy = await visit(url, '198.51.100.9');
  expect([busy.headers['content-type'], Number(busy.headers['retry-after']) > 0]).toEqual([
    'text/html; charset=utf-8',
    true,
  ]);
  expect((await visit(url, '198.51.100.10')).statusCode).toBe(200);
});
