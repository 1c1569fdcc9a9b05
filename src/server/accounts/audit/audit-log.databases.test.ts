import { sql } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import { verifyLedger } from '#server/accounts/billing/ledger/verify-ledger.ts';
import { sqlStateOf } from '#server/platform/db/postgres/sql-state.ts';
import {
  type TestOrganization,
  describeOnBothDatabases,
} from '#server/studio/generations/testing/shared-service-fixture.ts';
import { recordAuditEvent, shellActor } from './record-audit-event.ts';

describeOnBothDatabases(
  'the audit log',
  () => ({}),
  (service) => {
    let organization: TestOrganization;
    beforeEach(async () => {
      organization = await service.createOrganization('1');
    });
    const record = (name: string, before?: object, after?: object) => {
      const { db, clock } = service.get().deps;
      const change = {
        action: 'key.updated',
        target: { type: 'key', id: `key_${name}`, name },
        before: { ...before },
        after: { ...after },
      } as const;
      return db.transaction((tx) =>
        recordAuditEvent(tx, shellActor(organization.organization_id), change, clock.now()),
      );
    };
    const list = async (query: Record<string, string | number> = {}) =>
      (await organization.call('list_audit_events', { query })).body;
    const execute = (statement: string) => service.get().deps.db.execute(sql.raw(statement));
    const ofOrganization = () => `organization_id = '${organization.organization_id}'`;

    it('keeps only what differs, and cuts long texts', async () => {
      await record('a', { name: 'Shop', kind: 'member' }, { name: 'x'.repeat(300), kind: 'member' });
      const [event] = (await list()).data;
      expect(event).toMatchObject({ seq: 1, actor: { type: 'shell', id: null, name: 'Shell' }, address: null });
      expect(event?.before).toEqual({ name: 'Shop' });
      expect(event?.after).toEqual({ name: `${'x'.repeat(199)}…` });
    });

    it('is paged and filtered, newest first', async () => {
      for (const name of ['a', 'b', 'c']) await record(name);
      const first = await list({ limit: 2 });
      expect(first.data.map(({ seq }) => seq)).toEqual([3, 2]);
      const second = await list({ limit: 2, cursor: first.next_cursor ?? '' });
      expect(second.data.map(({ seq }) => seq)).toEqual([1]);
      expect((await list({ action: 'key' })).data).toHaveLength(3);
      expect((await list({ action: 'key.updated', target_id: 'key_b' })).data.map(({ seq }) => seq)).toEqual([2]);
      expect((await list({ action: 'webhook' })).data).toEqual([]);
      expect((await list({ actor_id: 'key_x' })).data).toEqual([]);
      expect((await list({ from: '2999-01-01T00:00:00Z' })).data).toEqual([]);
      expect((await organization.callError('list_audit_events', { query: { action: 'nothing' } })).status).toBe(422);
    });

    it('says who changed each of some objects last', async () => {
      for (const name of ['a', 'b', 'a', 'c']) await record(name);
      const other = await service.createOrganization('1');
      const ask = (call: TestOrganization['call'], query: { action: string; target_ids: string }) =>
        call('list_latest_changes', { query });
      const { body } = await ask(organization.call, { action: 'key', target_ids: 'key_b,key_a,key_x' });
      expect(body.data.map(({ seq, target }) => [seq, target.id])).toEqual([
        [3, 'key_a'],
        [2, 'key_b'],
      ]);
      expect((await ask(organization.call, { action: 'budget', target_ids: 'key_a' })).body.data).toEqual([]);
      expect((await ask(other.call, { action: 'key', target_ids: 'key_a' })).body.data).toEqual([]);
      for (const target_ids of ['', 'a,,b', 'a b', Array.from({ length: 101 }, () => 'a').join()]) {
        const { status, error } = await organization.callError('list_latest_changes', {
          query: { action: 'key', target_ids },
        });
        expect([status, error.details?.[0]?.path]).toEqual([422, 'target_ids']);
      }
    });

    it('is exported as CSV, with the export itself', async () => {
      await record('=a');
      const csv = await organization.callCsv('export_audit_events', { query: { action: 'export' } });
      expect(csv.trimEnd().split('\r\n')).toHaveLength(2);
      expect(csv).toContain('export.created');
      expect(await organization.callCsv('export_audit_events')).toContain("'=a");
    });

    it('numbers concurrent events without gaps, and verifies', async () => {
      await Promise.all(Array.from({ length: 12 }, (_, index) => record(`k${index}`, { a: 'é"\n' }, { a: index })));
      expect((await list()).data.map(({ seq }) => seq)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
      expect(await verify()).toMatchObject({ ok: true, problem: null });
    });

    it('refuses changes and removals', async () => {
      await record('a');
      for (const statement of [
        `update audit_events set actor_name = 'x' where ${ofOrganization()}`,
        `delete from audit_events where ${ofOrganization()}`,
        `truncate audit_events`,
        `update audit_heads set last_seq = 9 where ${ofOrganization()}`,
      ]) {
        const state = await execute(statement).then(
          () => 'accepted',
          (error: unknown) => sqlStateOf(error),
        );
        expect(state, statement).toBe('EM005');
      }
    });

    const verify = () => verifyLedger(service.get().deps, organization.organization_id);

    it.each([
      ['changed', () => `update audit_events set actor_name = 'x' where seq = 2 and ${ofOrganization()}`],
      ['removed in the middle', () => `delete from audit_events where seq = 2 and ${ofOrganization()}`],
      ['removed at the end', () => `delete from audit_events where seq = 3 and ${ofOrganization()}`],
      [
        'inserted',
        () =>
          `insert into audit_events select 'aud_forged', organization_id, 4, action, actor_type, actor_id, actor_name, address, target_type, target_id, target_name, before, after, created_at, hash from audit_events where seq = 3 and ${ofOrganization()}`,
      ],
    ])('verification notices an event that was %s', async (_, statement) => {
      for (const name of ['a', 'b', 'c']) await record(name, { a: 1 }, { a: 2 });
      await execute('alter table audit_events disable trigger user');
      try {
        await execute(statement());
      } finally {
        await execute('alter table audit_events enable trigger user');
        await execute('alter table audit_events enable always trigger audit_events_append_only');
      }
      const { body } = await organization.call('get_verification');
      expect(body).toMatchObject({ ok: false, problem: { check: 'audit_log', seq: null } });
      expect(body.checks.find(({ name }) => name === 'audit_log')).toEqual({ name: 'audit_log', ok: false });
    });
  },
);
