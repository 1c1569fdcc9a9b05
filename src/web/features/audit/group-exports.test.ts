import { expect, it } from 'vitest';
import type { AuditEvent } from '#contract/resources/audit-event.ts';
import { groupExports } from './group-exports.ts';

const event = (seq: number, fields: Partial<AuditEvent> = {}): AuditEvent => ({
  id: `aud_${seq}`,
  object: 'audit_event',
  seq,
  created_at: '2026-11-24T10:00:00.000Z',
  action: 'export.created',
  actor: { type: 'key', id: 'key_1', name: 'Script' },
  address: null,
  target: { type: 'statement', id: null, name: null },
  before: null,
  after: { month: '2026-11', tags: '{"client":"acme"}' },
  hash: String(seq),
  ...fields,
});
const shape = (events: AuditEvent[]) =>
  groupExports(events).map(({ seq, repeats }) => [seq, repeats.map((each) => each.seq)]);

it('puts equal exports in a row into one, with the newest in front', () => {
  expect(shape([event(5), event(4), event(3)])).toEqual([[5, [4, 3]]]);
});

it('keeps exports of other clients, of others and of between apart', () => {
  const acme = event(4, { after: { month: '2026-11', tags: '{"client":"globex"}' } });
  expect(shape([event(5), acme, event(3)])).toEqual([
    [5, []],
    [4, []],
    [3, []],
  ]);
  const other = event(4, { actor: { type: 'person', id: 'per_1', name: 'Ines' } });
  expect(shape([event(5), other])).toEqual([
    [5, []],
    [4, []],
  ]);
});

it('keeps other events apart, equal ones too', () => {
  const fields = { action: 'key.created', after: null } as const;
  expect(shape([event(5, fields), event(4, fields)])).toEqual([
    [5, []],
    [4, []],
  ]);
});
