import { beforeEach, expect, test, vi } from 'vitest';
import { createStorage } from '../storage-fixture.ts';

const device = new Map<string, string>();
const tab = new Map<string, string>();
/** What was sent to end sessions. */
let ended: { credentials: string; authorization: string | null }[];
let respond: () => Response;

beforeEach(() => {
  device.clear();
  tab.clear();
  ended = [];
  respond = () => new Response(null, { status: 204 });
  vi.stubGlobal('localStorage', createStorage(device));
  vi.stubGlobal('sessionStorage', createStorage(tab));
  vi.stubGlobal('fetch', async (url: string, { method, headers, credentials }: RequestInit) => {
    if (`${method} ${url}` === 'DELETE /v1/session')
      ended.push({ credentials: credentials ?? '', authorization: (headers as Headers).get('authorization') });
    return respond();
  });
  vi.resetModules();
});

/** A page that was loaded anew: memory is empty, storage stays. */
const reload = () => {
  vi.resetModules();
  return import('./session.ts');
};
const stored = () => [...device.values(), ...tab.values()].join(' ');
const byCookie = { credentials: 'same-origin', authorization: null };

test('keeps a session over a reload, with what it may do, until sign-out ends it here and at the service', async () => {
  const before = await reload();
  before.signIn();
  before.confirmSession(before.getSession()?.id ?? '', 'key_1', ['work.read']);
  const session = await reload();
  expect(session.getSession()).toMatchObject({ owner: 'key_1', permissions: ['work.read'] });
  session.signOut();
  await session.signOutSettled();
  expect([session.getSession(), stored(), ended]).toEqual([null, '', [byCookie]]);
  expect((await reload()).getSession()).toBeNull();
});

test('sends a sign-out again that did not reach the service', async () => {
  vi.stubGlobal('window', { addEventListener: () => undefined });
  const before = await reload();
  before.signIn();
  respond = () => {
    throw new TypeError('Failed to fetch');
  };
  before.signOut();
  await before.signOutSettled();
  respond = () => new Response(null, { status: 204 });
  const after = await reload();
  after.syncSessionAcrossTabs();
  await after.signOutSettled();
  expect([ended, stored()]).toEqual([[byCookie, byCookie], '']);
});

test('expires only the session in use, and remembers it for the other tabs', async () => {
  const session = await reload();
  const seen: string[] = [];
  session.signIn();
  const id = session.getSession()?.id ?? '';
  session.confirmSession(id, 'key_1', []);
  session.onSessionChange((state) => seen.push(state));
  session.expireSession('another');
  expect(session.getSession()?.id).toBe(id);
  session.expireSession(id);
  expect([session.getSession(), seen]).toEqual([null, ['expired']]);
  expect(stored()).toContain('"is_expired":true');
  expect((await reload()).getSession()).toBeNull();
});

test('signs out quietly where the service never knew the session', async () => {
  const session = await reload();
  const seen: string[] = [];
  session.signIn();
  session.onSessionChange((state) => seen.push(state));
  session.expireSession(session.getSession()?.id ?? '');
  expect([session.getSession(), seen, stored()]).toEqual([null, ['signed_out'], '']);
});

test('deletes the drafts of somebody else, but not where the session had expired', async () => {
  const session = await reload();
  const confirm = (owner: string) => session.confirmSession(session.getSession()?.id ?? '', owner, []);
  session.signIn();
  confirm('key_1');
  tab.set('emulsion.drafts', 'a draft');
  session.signIn();
  confirm('key_1');
  expect(tab.has('emulsion.drafts')).toBe(true);
  session.expireSession(session.getSession()?.id ?? '');
  session.signIn();
  confirm('key_2');
  expect(tab.has('emulsion.drafts')).toBe(true);
  session.signIn();
  confirm('key_3');
  expect(tab.has('emulsion.drafts')).toBe(false);
});

test.each([
  ['', true],
  ['?error=oidc_denied', false],
])('takes a browser that comes back from the identity provider with %j as signed in: %j', async (search, isIn) => {
  vi.stubGlobal('location', { search });
  tab.set('emulsion.sign-in', '1');
  expect((await reload()).getSession() !== null).toBe(isIn);
  expect(tab.size).toBe(0);
});

test('works where storage is forbidden', async () => {
  vi.stubGlobal('localStorage', undefined);
  vi.stubGlobal('sessionStorage', undefined);
  const session = await reload();
  session.signIn();
  expect(session.getSession()).toMatchObject({ owner: null });
});
