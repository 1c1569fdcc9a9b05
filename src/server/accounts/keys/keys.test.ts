import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';
import { bootstrap } from '#server/app/bootstrap.ts';
import { findCaller } from './find-caller.ts';

let service: TestService;
beforeAll(async () => {
  service = await createTestService();
});
afterAll(() => service.close());

describe('keys', () => {
  it.each([
    ['organization', /^mgs_org_[\w-]{43}$/],
    ['member', /^mgs_usr_[\w-]{43}$/],
    ['publishing', /^mgs_pub_[\w-]{43}$/],
  ] as const)('creates a %s key, shown once', async (kind, form) => {
    const { body } = await service.call('create_api_key', { body: { name: ' Anna ', kind } });
    expect(body).toMatchObject({ name: 'Anna', kind, revoked_at: null, last_used_at: null });
    expect(body.key).toMatch(form);
    const { body: list } = await service.call('list_api_keys');
    expect(list.data[0]).toMatchObject({ id: body.id, name: 'Anna', kind });
    expect(JSON.stringify(list)).not.toContain(body.key);
  });

  it('are not stored in the database', async () => {
    const { body } = await service.call('create_api_key', { body: { name: 'Anna', kind: 'member' } });
    const { rows } = (await service.deps.db.execute(sql`select to_jsonb(api_keys)::text as row from api_keys`)) as {
      rows: { row: string }[];
    };
    const dump = JSON.stringify(rows);
    for (const key of [body.key, ...Object.values(service.keys)]) {
      expect(dump).not.toContain(key);
      expect(dump).not.toContain(key.slice(8));
    }
  });

  it.each([
    {},
    { name: '', kind: 'member' },
    { name: '  ', kind: 'member' },
    { name: 'x'.repeat(81), kind: 'member' },
    { name: 'x', kind: 'root' },
  ])('returns 422 for %j', async (body) => {
    expect((await service.callError('create_api_key', { body })).status).toBe(422);
  });

  it('returns 204 for a revocation and its repetition, and keeps listing the key', async () => {
    const { body } = await service.call('create_api_key', { body: { name: 'Anna', kind: 'member' } });
    const params = { key_id: body.id };
    expect((await service.call('delete_api_key', { params })).status).toBe(204);
    const ended_at = service.deps.clock.now().toISOString();
    service.deps.clock.advance(60_000);
    expect((await service.call('delete_api_key', { params })).status).toBe(204);
    const { body: list } = await service.call('list_api_keys');
    expect(list.data.find(({ id }) => id === body.id)?.revoked_at).toBe(ended_at);
  });

  it('returns the same 404 for foreign and unknown keys', async () => {
    const other = await service.addOrganization();
    const { body: mine } = await service.call('get_me');
    const ask = (key_id: string) => service.callError('delete_api_key', { key: other.key, params: { key_id } });
    const [foreign, unknown] = [await ask(mine.key.id), await ask('key_01m7y6v0gyeg6ksk7hyezzk3qs')];
    expect({ ...foreign.error, request_id: '' }).toEqual({ ...unknown.error, request_id: '' });
    expect((await service.call('list_api_keys', { key: other.key })).body.data).toHaveLength(1);
  });

  it('record their last use at most once a minute', async () => {
    const { body } = await service.call('create_api_key', { body: { name: 'Anna', kind: 'member' } });
    const lastUse = async () => {
      await service.call('get_me', { key: body.key });
      const { body: list } = await service.call('list_api_keys');
      return list.data.find(({ id }) => id === body.id)?.last_used_at;
    };
    const first = service.deps.clock.now().toISOString();
    expect(await lastUse()).toBe(first);
    service.deps.clock.advance(59_000);
    expect(await lastUse()).toBe(first);
    service.deps.clock.advance(1_000);
    expect(await lastUse()).toBe(service.deps.clock.now().toISOString());
  });
});

describe('the first start', () => {
  it('creates an organization with 100 dollars and a key that is shown once', async () => {
    const { body } = await service.call('list_ledger');
    expect(body.data).toMatchObject([{ type: 'ADMIN_CREDIT', amount_usd: '100.00', available_after_usd: '100.00' }]);
    expect(await bootstrap(service.deps)).toBeNull();
  });

  it('adds the operator’s key, also later, and does not restore a revoked one', async () => {
    const bootstrapApiKey = 'mgs_org_chosen-by-the-operator';
    const deps = { ...service.deps, config: { bootstrapApiKey } };
    expect(await bootstrap(deps)).toBeNull();
    expect(await bootstrap(deps)).toBeNull();
    const caller = await findCaller(service.deps, bootstrapApiKey);
    expect(caller).toMatchObject({ organization_id: service.organization_id, kind: 'organization' });
    const query = { target_id: caller?.key_id ?? '' };
    expect((await service.call('list_audit_events', { query })).body.data).toMatchObject([
      { action: 'key.created', actor: { type: 'service' }, target: { name: 'Bootstrap key' }, before: null },
    ]);
    await service.call('delete_api_key', { params: { key_id: caller?.key_id ?? '' } });
    await bootstrap(deps);
    expect(await findCaller(service.deps, bootstrapApiKey)).toBeNull();
  });
});
