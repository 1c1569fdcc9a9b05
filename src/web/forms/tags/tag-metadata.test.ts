import { beforeEach, expect, test, vi } from 'vitest';

const device = new Map<string, string>();

beforeEach(() => {
  device.clear();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => device.get(name) ?? null,
    setItem: (name: string, value: string) => void device.set(name, value),
    removeItem: (name: string) => void device.delete(name),
  });
  vi.stubGlobal('fetch', async () => new Response(null, { status: 204 }));
  vi.resetModules();
});

/** A page that was loaded anew, in which somebody signs in. */
async function signInAs(owner: string) {
  vi.resetModules();
  const session = await import('#web/api/session/session.ts');
  session.signIn();
  session.confirmSession(session.getSession()?.id ?? '', owner, []);
  return { session, ...(await import('./tag-metadata.ts')) };
}

test('keeps the values of each person apart, over reloads', async () => {
  const mia = await signInAs('key_mia');
  expect(mia.tagMetadata()).toEqual({});
  mia.writeTagValues({ client: 'Acme' });
  expect(mia.tagMetadata()).toEqual({ metadata: { client: 'Acme' } });
  expect((await signInAs('key_noa')).tagMetadata()).toEqual({});
  expect((await signInAs('key_mia')).tagMetadata()).toEqual({ metadata: { client: 'Acme' } });
});

test('changes with the person on the same page', async () => {
  const { session, tagMetadata, writeTagValues } = await signInAs('key_mia');
  writeTagValues({ client: 'Acme' });
  session.signOut();
  await session.signOutSettled();
  expect(tagMetadata()).toEqual({});
  session.signIn();
  session.confirmSession(session.getSession()?.id ?? '', 'key_noa', []);
  expect(tagMetadata()).toEqual({});
});
