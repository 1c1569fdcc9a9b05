import { beforeEach, expect, test, vi } from 'vitest';
import { createStorage } from '../storage-fixture.ts';

let stored: Map<string, string>;
/** Names of the locks of open tabs. */
let locks: Set<string>;
let isSecure: boolean;

beforeEach(() => {
  stored = new Map();
  locks = new Set();
  isSecure = true;
});

/** Opens a tab, or loads it again, with modules of its own. */
async function openTab(tab = createStorage(), owner: string | null = 'per_ana') {
  vi.resetModules();
  vi.stubGlobal('localStorage', createStorage(stored));
  vi.stubGlobal('sessionStorage', tab);
  const held = new Set<string>();
  const request = async (name: string, { signal }: LockOptions, hold: (lock: object | null) => Promise<void>) => {
    if (locks.has(name)) return signal ? Promise.reject(new DOMException('Timeout', 'TimeoutError')) : hold(null);
    held.add(name);
    locks.add(name);
    await hold({});
    locks.delete(name);
  };
  vi.stubGlobal('navigator', { locks: isSecure ? { request } : undefined });
  const { createDraftStorage, openDrafts } = await import('./draft-storage.ts');
  const session = await import('../session/session.ts');
  const drafts = createDraftStorage<string>('forms', 20);
  if (owner !== null) await openDrafts(owner);
  return {
    tab,
    drafts,
    openDrafts,
    session,
    write: async (text: string) => {
      drafts.set('image.create', text);
      await vi.waitFor(() => expect([...stored.values()].join()).toContain(text));
    },
    read: () => drafts.get('image.create'),
    close: () => held.forEach((name) => locks.delete(name)),
  };
}

test('a new tab starts with the newest drafts that no open tab has, and overwrites none', async () => {
  const first = await openTab();
  await first.write('A lighthouse');
  const second = await openTab();
  expect(second.read()).toBeUndefined();
  await second.write('A harbour');
  first.close();
  second.close();
  const tabs = [await openTab(), await openTab(), await openTab()];
  expect(tabs.map(({ read }) => read())).toEqual(['A harbour', 'A lighthouse', undefined]);
});

test('a reload keeps the drafts of its tab, and a copy of an open tab starts with them', async () => {
  const first = await openTab();
  await first.write('A lighthouse');
  await (await openTab()).write('A harbour');
  first.close();
  const reloaded = await openTab(first.tab);
  expect(reloaded.read()).toBe('A lighthouse');
  const copy = await openTab(first.tab);
  await copy.write('A lighthouse at night');
  await reloaded.write('A lighthouse at noon');
  copy.close();
  expect((await openTab()).read()).toBe('A lighthouse at night');
});

test('without Web Locks, a new tab starts with a copy of the newest drafts', async () => {
  isSecure = false;
  const first = await openTab();
  await first.write('A lighthouse');
  const second = await openTab();
  expect(second.read()).toBe('A lighthouse');
  await second.write('A harbour');
  expect((await openTab(first.tab)).read()).toBe('A lighthouse');
});

test('keeps the drafts of people apart, and deletes those of who signs out, in all tabs', async () => {
  const ana = await openTab();
  await ana.write('A lighthouse');
  const closed = await openTab();
  await closed.write('A harbour');
  closed.close();
  const ben = await openTab(undefined, 'per_ben');
  expect(ben.read()).toBeUndefined();
  await ben.write('A kite');
  ana.session.signOut();
  expect([...stored.values()].join()).toContain('A kite');
  expect([...stored.values()].join()).not.toMatch(/A lighthouse|A harbour/);
  expect([ana.read(), ben.read()]).toEqual([undefined, 'A kite']);
});

test('what a visitor typed is theirs after signing in, and stays in the tab until then', async () => {
  const visitor = await openTab(undefined, null);
  visitor.drafts.set('image.create', 'A lighthouse');
  await visitor.openDrafts('per_ana');
  expect(visitor.read()).toBe('A lighthouse');
  visitor.close();
  expect((await openTab()).read()).toBe('A lighthouse');
});

test('signing in brings the drafts of the person back', async () => {
  const before = await openTab();
  await before.write('A lighthouse');
  before.close();
  const visitor = await openTab(undefined, null);
  expect(visitor.read()).toBeUndefined();
  visitor.session.signIn();
  visitor.session.confirmSession(visitor.session.getSession()?.id ?? '', 'per_ana', []);
  await vi.waitFor(() => expect(visitor.read()).toBe('A lighthouse'));
});

test('deletes the oldest drafts of closed tabs when there is no room, and those of a month ago', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const texts = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(900_000));
  for (const text of texts) {
    vi.setSystemTime(Date.now() + 1000);
    const tab = await openTab(undefined, 'per_ana');
    await tab.write(text);
  }
  locks.clear();
  expect([...stored.values()].join('').length).toBeLessThan(3_100_000);
  const tabs = [await openTab(), await openTab(), await openTab(), await openTab()];
  expect(tabs.map(({ read }) => read()?.[0])).toEqual(['d', 'c', 'b', undefined]);
  vi.setSystemTime(Date.now() + 31 * 86_400_000);
  locks.clear();
  expect((await openTab()).read()).toBeUndefined();
  vi.useRealTimers();
});
