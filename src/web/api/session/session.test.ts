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

test('keeps a session of the tab over a reload, but not beyond the tab', async () => {
  const session = await reload();
  session.signIn('mgs_ses_one', 'tab');
  expect([[...tab.values()], [...device.values()]]).toEqual([['mgs_ses_one'], []]);
  expect((await reload()).getKey()).toBe('mgs_ses_one');
  tab.clear();
  expect((await reload()).getKey()).toBeNull();
});

test('keeps a session of the device beyond the tab, until sign-out ends it here and at the service', async () => {
  (await reload()).signIn('mgs_ses_one', 'device');
  expect([[...tab.values()], [...device.values()]]).toEqual([[], ['mgs_ses_one']]);
  const session = await reload();
  expect(session.getSessionScope()).toBe('device');
  session.signOut();
  expect([session.getKey(), stored(), ended]).toEqual([null, [], ['Bearer mgs_ses_one']]);
});

test('never stores an API key, and sends no request when signing out of one', async () => {
  const session = await reload();
  session.signIn('mgs_org_one', 'page');
  session.setSessionScope('device');
  expect([session.getKey(), session.getSessionScope(), stored()]).toEqual(['mgs_org_one', 'page', []]);
  session.signOut();
  expect(ended).toEqual([]);
});

test('removes a key that an earlier version stored', async () => {
  device.set('emulsion.key', 'mgs_org_one');
  expect((await reload()).getKey()).toBeNull();
  expect(stored()).toEqual([]);
});

test('moves the session between the stores when the scope changes', async () => {
  const session = await reload();
  session.signIn('mgs_ses_one', 'tab');
  session.setSessionScope('device');
  expect([[...tab.values()], [...device.values()]]).toEqual([[], ['mgs_ses_one']]);
  session.setSessionScope('tab');
  expect([[...tab.values()], [...device.values()]]).toEqual([['mgs_ses_one'], []]);
  expect(ended).toEqual([]);
});

test('ends the previous session on the next sign-in and stores only the new one', async () => {
  const session = await reload();
  session.signIn('mgs_ses_one', 'device');
  session.signIn('mgs_ses_two', 'tab');
  expect([stored(), ended]).toEqual([['mgs_ses_two'], ['Bearer mgs_ses_one']]);
});

test('expires only the session in use', async () => {
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
