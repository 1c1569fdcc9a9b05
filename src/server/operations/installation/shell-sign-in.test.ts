import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';
import { requestSignIn, startAdminSocket } from './admin-socket.ts';

let folder: string;
let service: TestService;
let close: () => Promise<void>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'emulsion-shell-'));
  service = await createTestService();
  close = await startAdminSocket({ ...service.deps, config: { ...service.deps.config, dataDir: folder } });
});
afterAll(async () => {
  await close();
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

const signIn = async (who: Parameters<typeof requestSignIn>[1]) => {
  const url = await requestSignIn(folder, who);
  const token = url?.split('/sign-in#token=')[1] ?? '';
  const { secret } = (await service.call('sign_in', { key: null, body: { token } })).body;
  return (await service.call('get_me', { key: secret ?? '' })).body;
};

it('signs in the only administrator, a person without an address, or a new key, while the service runs', async () => {
  const { person } = await service.addPerson('administrator', 'Ada');
  expect(await signIn({})).toMatchObject({ person: { id: person.id, role: 'administrator' } });
  expect(await signIn({ person: person.id })).toMatchObject({ person: { id: person.id } });
  expect(await signIn({ name: 'Script' })).toMatchObject({ person: null, key: { name: 'Script' } });
});

it('lists administrators where there are several, and says what it does not find', async () => {
  await service.addPerson('administrator', 'Bo');
  await expect(requestSignIn(folder, {})).rejects.toThrow(/^Say who with --person:\n {2}per_\w+ {2}Ada.*\n.*Bo/);
  await expect(requestSignIn(folder, { person: 'nobody@example.com' })).rejects.toThrow('There is no person');
  await expect(requestSignIn(folder, { key: 'key_unknown' })).rejects.toThrow('There is no key key_unknown.');
});

it('says that no service listens', async () => {
  expect(await requestSignIn(join(folder, 'other'), {})).toBeNull();
});
