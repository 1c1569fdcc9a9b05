import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const stored = new Map<string, string>();
const storage = {
  getItem: (name: string) => stored.get(name) ?? null,
  setItem: (name: string, value: string) => void stored.set(name, value),
  removeItem: (name: string) => void stored.delete(name),
};

beforeEach(() => {
  stored.clear();
  vi.stubGlobal('localStorage', storage);
  vi.resetModules();
});
afterEach(() => vi.unstubAllGlobals());

const load = () => import('#web/session/session.ts');

test('a key stays in memory unless it is to be remembered', async () => {
  const session = await load();
  session.signIn('mgs_org_one', { remember: false });
  expect(session.getKey()).toBe('mgs_org_one');
  expect([...stored.values()]).toEqual([]);
  expect(session.isRemembered()).toBe(false);
});

test('a remembered key is there after a reload, and gone after signing out', async () => {
  (await load()).signIn('mgs_org_one', { remember: true });
  vi.resetModules();
  const session = await load();
  expect(session.getKey()).toBe('mgs_org_one');
  session.signOut();
  expect(session.getKey()).toBeNull();
  expect([...stored.values()]).toEqual([]);
});

test('signing in without remembering forgets the key remembered before', async () => {
  const session = await load();
  session.signIn('mgs_org_one', { remember: true });
  session.signIn('mgs_org_two', { remember: false });
  expect([...stored.values()]).toEqual([]);
});

test('only the key in use can expire', async () => {
  const session = await load();
  const seen: string[] = [];
  session.signIn('mgs_org_two', { remember: true });
  session.onSessionChange((state) => seen.push(state));
  session.expire('mgs_org_one');
  expect(session.getKey()).toBe('mgs_org_two');
  session.expire('mgs_org_two');
  expect(session.getKey()).toBeNull();
  expect([...stored.values()]).toEqual([]);
  expect(seen).toEqual(['expired']);
});

test('works where storage is forbidden', async () => {
  vi.stubGlobal('localStorage', undefined);
  const session = await load();
  session.signIn('mgs_org_one', { remember: true });
  expect(session.getKey()).toBe('mgs_org_one');
  expect(session.isRemembered()).toBe(false);
});
