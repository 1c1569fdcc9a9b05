import { describe, expect, it } from 'vitest';
import { AUDIT_ACTIONS, type AuditAction } from '#contract/audit-actions.ts';
import type { AuditEvent } from '#contract/resources/audit-event.ts';
import { describeAuditEvent, withCurrentNames } from './audit-sentence.ts';

type Fields = Partial<Pick<AuditEvent, 'before' | 'after' | 'target' | 'actor'>>;

const event = (action: AuditAction, fields: Fields = {}): AuditEvent => ({
  id: 'aud_01k0000000000000000000000a',
  object: 'audit_event',
  seq: 1,
  created_at: '2026-11-24T10:00:00.000Z',
  action,
  actor: { type: 'person', id: 'per_ines', name: 'Ines' },
  address: null,
  target: { type: 'thing', id: null, name: null },
  before: null,
  after: null,
  hash: '0',
  ...fields,
});
const budget = (name: string) => ({ type: 'budget', id: 'bud_1', name });
const mia = { type: 'person', id: 'per_mia', name: 'Mia' };

describe('the sentence of an event', () => {
  it.each<[AuditAction, Fields, string]>([
    [
      'person.invited',
      { target: { type: 'invitation', id: 'inv_1', name: null }, after: { role: 'member' } },
      'invited somebody as Member',
    ],
    [
      'share.updated',
      {
        target: { type: 'share', id: 'shr_1', name: 'Fruit' },
        before: { versions: [] },
        after: { versions: [{ a: 1 }] },
      },
      'changed the share page “Fruit”: the versions',
    ],
    [
      'request.decided',
      {
        before: { status: 'pending' },
        after: { status: 'approved', kind: 'order', amount_usd: '0.12', requested_by: 'Mia', reason: null },
      },
      'approved Mia’s request for $0.12',
    ],
    [
      'request.decided',
      {
        after: {
          status: 'rejected',
          kind: 'budget',
          amount_usd: '5.00',
          requested_by: 'Mia',
          reason: 'Too much',
          scope: 'person:per_mia',
          scope_name: 'Mia',
          interval: 'day',
        },
      },
      'rejected Mia’s request for $5.00 more for the daily budget of Mia: Too much',
    ],
    ['request.decided', { after: { status: 'approved', reason: null } }, 'approved a request'],
    [
      'request.created',
      { after: { kind: 'order', amount_usd: '0.12', note: 'Please', task: 'image.create', model: 'imgmodel-a-2' } },
      'asked for $0.12 (Create an image · ImgModel A 2): Please',
    ],
    [
      'settings.changed',
      { before: { approval_above_usd: '0.15' }, after: { approval_above_usd: '0.05' } },
      'changed the approval limit from $0.15 to $0.05',
    ],
    [
      'settings.changed',
      {
        before: { approval_above_usd: null, sharing_enabled: true, 'alerts.mail_roles': ['administrator'] },
        after: { approval_above_usd: '0.05', sharing_enabled: false, 'alerts.mail_roles': [] },
      },
      'changed the approval limit from none to $0.05, “Allow share pages” from on to off and the roles that get alerts by mail from Administrator to none',
    ],
    ['media.trashed', { before: { count: 3, ids: [] } }, 'moved 3 files to the trash'],
    [
      'media.exported_without_credentials',
      { after: { count: 1, ids: ['ast_1'] } },
      'downloaded a file without content credentials',
    ],
    [
      'share.answered',
      {
        target: { type: 'share', id: 'shr_1', name: 'First picks' },
        after: { file: 'sunset.png', verdict: 'approved', comment: 'Lovely' },
      },
      'approved “sunset.png” on the share page “First picks”: Lovely',
    ],
    [
      'share.answer_withdrawn',
      { target: { type: 'share', id: 'shr_1', name: null }, after: { file: null, verdict: 'changes_requested' } },
      'took back the request to change a file on a share page',
    ],
    ['credit.added', { after: { amount_usd: '-10.00', description: 'Wrong month' } }, 'deducted $10.00: Wrong month'],
    ['credit.added', { after: { amount_usd: '250.00', description: 'PO 7' } }, 'added $250.00 of credit: PO 7'],
    [
      'budget.set',
      {
        target: budget('person:per_mia'),
        after: { scope: 'person:per_mia', scope_name: 'Mia', interval: 'day', limit_usd: '5.00' },
      },
      'set the daily budget of Mia: the limit to $5.00',
    ],
    [
      'budget.set',
      {
        target: budget('organization'),
        before: { limit_usd: '5.00' },
        after: { scope: 'organization', scope_name: null, interval: 'month', limit_usd: '3.00' },
      },
      'changed the monthly budget of Everybody: the limit from $5.00 to $3.00',
    ],
    [
      'budget.set',
      {
        target: budget('person:per_mia'),
        before: { extra_usd: '0.00' },
        after: { scope_name: 'Mia', interval: 'week', extra_usd: '2.00', granted_usd: '2.00' },
      },
      'changed the weekly budget of Mia: the extra of this period from $0.00 to $2.00',
    ],
    [
      'person.updated',
      { target: mia, before: { role: 'administrator' }, after: { role: 'member', remaining_key: 'ERP' } },
      'changed Mia’s account: the role from Administrator to Member. No administrator remains, only the key “ERP”',
    ],
    [
      'person.updated',
      { target: { ...mia, id: 'per_ines' }, before: { name: 'Ina' }, after: { name: 'Ines' } },
      'changed their own account: the name from “Ina” to “Ines”',
    ],
    [
      'person.updated',
      {
        target: { ...mia, id: 'per_ines' },
        before: { pending_email: null },
        after: { pending_email: 'i@example.com' },
      },
      'changed their own account: the mail address to confirm from none to i@example.com',
    ],
    [
      'person.updated',
      {
        target: { ...mia, id: 'per_ines' },
        before: { pending_email: 'i@example.com' },
        after: { pending_email: null },
      },
      'changed their own account: the mail address to confirm from i@example.com to none',
    ],
    [
      'provider.updated',
      {
        target: { type: 'provider', id: 'con_1', name: 'Fal' },
        before: { 'image.create imgmodel-a-2': { provider_model: null, markup_percent: 10 } },
        after: { 'image.create imgmodel-a-2': { provider_model: null, markup_percent: 20 } },
      },
      'changed the provider “Fal”: the markup percent of Create an image · ImgModel A 2 from 10 to 20',
    ],
    [
      'refund.created',
      { after: { amount_usd: '0.05', reason: 'Blurred', created_by: 'Mia' } },
      'refunded $0.05 of a generation of Mia: Blurred',
    ],
    [
      'alert.raised',
      { target: { type: 'alert', id: 'alt_1', name: 'Low balance' }, after: { message: 'Low.' } },
      'raised the alert “Low balance”: Low.',
    ],
    [
      'export.created',
      { target: { type: 'statement', id: null, name: null }, after: { month: '2026-11' } },
      'exported a statement of 2026-11',
    ],
    [
      'export.created',
      {
        target: { type: 'statement', id: null, name: null },
        after: { month: '2026-11', tags: '{"client":"acme [EU]","po":null}' },
      },
      'exported a statement of 2026-11 for client: acme [EU], po: (none)',
    ],
  ])('%s: %o', (action, fields, sentence) => {
    expect(describeAuditEvent(event(action, fields))).toBe(sentence);
  });

  it.each(AUDIT_ACTIONS)('reads well without any field: %s', (action) => {
    for (const name of [null, 'Shop'])
      expect(describeAuditEvent(event(action, { target: { type: 'thing', id: null, name } }))).toMatch(
        /^(?!.*(?:undefined|null|object|_)).+[^:\s]$/,
      );
  });

  it('shows people by their current name', () => {
    const names = new Map([
      ['per_ines', 'Ines Weber'],
      ['per_mia', 'Mia Lund'],
    ]);
    const shown = withCurrentNames(
      event('budget.set', { target: budget('person:per_mia'), after: { scope_name: 'Mia', limit_usd: '1.00' } }),
      names,
    );
    expect(shown.actor.name).toBe('Ines Weber');
    expect(describeAuditEvent(shown)).toBe('set the budget of Mia Lund: the limit to $1.00');
  });
});
