import { beforeEach, expect, test, vi } from 'vitest';

const device = new Map<string, string>();
const tab = new Map<string, string>();
const storageOf = (stored: Map<string, string>) => ({
  getItem: (name: string) => stored.get(name) ?? null,
  setItem: (name: string, value: string) => void stored.set(name, value),
  removeItem: (name: string) => void stored.delete(name),
});
/** The credentials whose sessions were ended at the service. */
let ended: (string | null)[];

beforeEach(() => {
  device.clear();
  tab.clear();
  ended = [];
  vi.stubGlobal('localStorage', storageOf(device));
  vi.stubGlobal('sessionStorage', storageOf(tab));
  vi.stubGlobal('fetch', async (url: string, { method, headers }: { method: string; headers: Headers }) => {
    if (`${method} ${url}` === 'DELETE /v1/session') ended.push(headers.get('authorization'));
    return new Response(null, { status: 204 });
  });
  vi.resetModules();
});

/** A page that was loaded anew: memory is empty, storage stays. */
const reload = () => {
  vi.resetModules();
  return import('./session.ts');
};
const stored = () => [...device.values(), ...tab.values()];

test('a session of a tab outlives a reload, and not the tab', async () => {
  const session = await reload();
  session.signIn('mgs_ses_one', 'tab');
  expect([[...tab.values()], [...device.values()]]).toEqual([['mgs_ses_one'], []]);
  expect((await reload()).getKey()).toBe('mgs_ses_one');
  tab.clear();
  expect((await reload()).getKey()).toBeNull();
});

test('a session of the device outlives the tab, until it is signed out here and at the service', async () => {
  (await reload()).signIn('mgs_ses_one', 'device');
  expect([[...tab.values()], [...device.values()]]).toEqual([[], ['mgs_ses_one']]);
  const session = await reload();
  expect(session.getSessionScope()).toBe('device');
  session.signOut();
  expect([session.getKey(), stored(), ended]).toEqual([null, [], ['Bearer mgs_ses_one']]);
});

test('a key is never stored, and signing out asks the service for nothing', async () => {
  const session = await reload();
  session.signIn('mgs_org_one', 'page');
  session.setSessionScope('device');
  expect([session.getKey(), session.getSessionScope(), stored()]).toEqual(['mgs_org_one', 'page', []]);
  session.signOut();
  expect(ended).toEqual([]);
});

test('a key that an earlier version stored is removed', async () => {
  device.set('emulsion.key', 'mgs_org_one');
  expect((await reload()).getKey()).toBeNull();
  expect(stored()).toEqual([]);
});

test('the scope moves the session between the stores', async () => {
  const session = await reload();
  session.signIn('mgs_ses_one', 'tab');
  session.setSessionScope('device');
  expect([[...tab.values()], [...device.values()]]).toEqual([[], ['mgs_ses_one']]);
  session.setSessionScope('tab');
  expect([[...tab.values()], [...device.values()]]).toEqual([['mgs_ses_one'], []]);
  expect(ended).toEqual([]);
});

test('signing in again ends the session before, and stores the new one alone', async () => {
  const session = await reload();
  session.signIn('mgs_ses_one', 'device');
  session.signIn('mgs_ses_two', 'tab');
  expect([stored(), ended]).toEqual([['mgs_ses_two'], ['Bearer mgs_ses_one']]);
});

test('only the session in use can expire', async () => {
  const session = await reload();
  const seen: string[] = [];
  session.signIn('mgs_ses_two', 'device');
  session.onSessionChange((state) => seen.push(state));
  session.expireSession('mgs_ses_one');
  expect(session.getKey()).toBe('mgs_ses_two');
  session.expireSession('mgs_ses_two');
  expect([session.getKey(), stored(), seen]).toEqual([null, [], ['expired']]);
});

test('works where storage is forbidden', async () => {
  vi.stubGlobal('localStorage', undefined);
  vi.stubGlobal('sessionStorage', undefined);
  const session = await reload();
  session.signIn('mgs_ses_one', 'device');
  expect(session.getKey()).toBe('mgs_ses_one');
});
