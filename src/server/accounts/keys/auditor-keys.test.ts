import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BodyInput } from '#contract/api/endpoints.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';

const ORDER = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'a cat' } };

let service: TestService;
beforeAll(async () => {
  service = await createTestService({ engines: [createScriptedEngine()] });
  await service.addPerson('administrator', 'Ada');
});
afterAll(() => service.close());

describe('a key of an auditor', () => {
  let session: string;
  let person_id: string;
  let key: string;
  let key_id: string;
  let count = 0;
  beforeEach(async () => {
    const eva = await service.addPerson('auditor', `Eva ${(count += 1)}`);
    session = eva.session;
    person_id = eva.person.id;
    ({ key, id: key_id } = await createKey({ name: 'Script', kind: 'organization' }));
  });

  const createKey = async (body: BodyInput<'create_api_key'>) =>
    (await service.call('create_api_key', { key: session, body })).body;
  const changeRole = (role: 'administrator' | 'member' | 'auditor') =>
    service.call('update_person', { params: { person_id }, body: { name: 'Eva', role } });
  const isValid = async () => (await service.request('get_me', { key })).status === 200;

  it('reads all that the auditor does, and exports under their name', async () => {
    const { body: created } = await service.call('list_api_keys', { key: session });
    expect(created.data).toMatchObject([{ id: key_id, person: { id: person_id }, scopes: { read_only: true } }]);
    for (const name of ['list_audit_events', 'get_verification', 'list_alerts', 'list_people', 'get_margin'] as const)
      expect([name, (await service.request(name, { key })).status]).toEqual([name, 200]);
    await service.app.inject({ url: '/v1/audit-events.csv', headers: { authorization: `Bearer ${key}` } });
    const { body } = await service.call('list_audit_events', { query: { action: 'export.created', limit: '1' } });
    expect(body.data[0]?.actor).toMatchObject({ type: 'person', id: person_id });
  });

  it('changes nothing, makes no credential and cannot be widened', async () => {
    expect((await service.callError('create_generation', { key, body: ORDER })).status).toBe(401);
    expect((await service.callError('create_api_key', { key, body: { name: 'Next', kind: 'member' } })).status).toBe(
      401,
    );
    const wider = { scopes: null, expires_at: null };
    const params = { key_id };
    const own = await service.call('update_api_key', { key: session, params, body: wider });
    const byAdministrator = await service.call('update_api_key', { params, body: wider });
    for (const { body } of [own, byAdministrator]) expect(body.scopes).toMatchObject({ read_only: true });
    for (const owner of [undefined, 'program'] as const) {
      const body = { name: 'Shop', kind: 'organization', owner: owner ?? 'program' } as const;
      expect((await service.callError('create_api_key', { key: session, body })).status).toBe(401);
    }
  });

  it.each(['administrator', 'member'] as const)('ends when the auditor becomes %s', async (role) => {
    expect(await isValid()).toBe(true);
    await changeRole(role);
    expect(await isValid()).toBe(false);
    const { body } = await service.call('list_audit_events', { query: { action: 'key.revoked', limit: '1' } });
    expect(body.data[0]?.target).toMatchObject({ id: key_id, name: 'Script' });
    await changeRole('auditor');
    expect(await isValid()).toBe(false);
  });

  it('ends with the person', async () => {
    await service.call('remove_person', { params: { person_id } });
    expect(await isValid()).toBe(false);
  });

  it('only reads, also if it was made in another role', async () => {
    await changeRole('member');
    const { key: old } = await createKey({ name: 'Work', kind: 'member' });
    await changeRole('auditor');
    expect((await service.callError('create_generation', { key: old, body: ORDER })).status).toBe(401);
    const { body } = await service.call('get_me', { key: old });
    expect(body.permissions).not.toContain('keys.manage_own');
    await changeRole('member');
    expect((await service.request('create_generation', { key: old, body: ORDER })).status).toBe(201);
  });
});
