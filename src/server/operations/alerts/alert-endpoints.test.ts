import { expect, it } from 'vitest';
import { useSharedService } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createAlertsFixture } from './testing/alerts-fixture.ts';

const service = useSharedService(() => ({}));
const alerts = createAlertsFixture(service);

async function raiseThree() {
  const organization = await service.createOrganization('3');
  const { call } = organization;
  for (const scope of ['organization', 'model:imgmodel-a-2'])
    await call('set_budget', { body: { scope, limit_usd: '0' } });
  await alerts.check(organization);
  return organization;
}

it('are paged newest first, and filtered by status and kind', async () => {
  const { call } = await raiseThree();
  const { body: first } = await call('list_alerts', { query: { limit: 2 } });
  expect(first.data).toHaveLength(2);
  const { body: rest } = await call('list_alerts', { query: { limit: 2, cursor: first.next_cursor ?? '' } });
  expect(rest).toMatchObject({ has_more: false, next_cursor: null });
  const ids = [...first.data, ...rest.data].map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted().toReversed());
  expect(ids).toHaveLength(3);
  const { body: budgets } = await call('list_alerts', { query: { kind: 'budget_exhausted', status: 'open' } });
  expect(budgets.data.map(({ subject }) => subject?.name).sort()).toEqual(['ImgModel A 2', 'the organization']);
  expect((await call('list_alerts', { query: { status: 'resolved' } })).body.data).toEqual([]);
  for (const [name, value] of Object.entries({ cursor: 'x', kind: 'other', status: 'new', limit: 101 })) {
    const { status } = await service.get().callError('list_alerts', { query: { [name]: value } });
    expect([name, status]).toEqual([name, name === 'cursor' ? 400 : 422]);
  }
});

it('are acknowledged once, by name, and leave the open ones', async () => {
  const organization = await raiseThree();
  const { call } = organization;
  const [alert] = await alerts.list(organization, 'low_balance');
  const params = { alert_id: alert?.id ?? '' };
  const { body } = await call('acknowledge_alert', { params });
  expect(body).toMatchObject({ status: 'acknowledged', acknowledged_by: { name: 'Key' }, resolved_at: null });
  expect((await call('acknowledge_alert', { params })).body).toEqual(body);
  expect((await call('list_alerts', { query: { status: 'acknowledged' } })).body.data).toEqual([body]);
  expect((await call('list_alerts', { query: { status: 'open' } })).body.data).toHaveLength(2);
  const { body: events } = await call('list_audit_events', { query: { action: 'alert.acknowledged' } });
  expect(events.data).toMatchObject([{ target: { id: params.alert_id, name: 'Low balance' } }]);
  await alerts.check(organization);
  expect((await alerts.list(organization, 'low_balance'))[0]?.status).toBe('acknowledged');
});

it('are invisible to other organizations and to members', async () => {
  const organization = await raiseThree();
  const other = await service.createOrganization('20');
  const [alert] = await alerts.list(organization);
  expect((await other.call('list_alerts')).body.data).toEqual([]);
  const { keys, callError } = service.get();
  expect((await callError('list_alerts', { key: keys.member })).status).toBe(401);
  const unknown = await callError('acknowledge_alert', { key: other.key, params: { alert_id: alert?.id ?? '' } });
  expect(unknown).toMatchObject({ status: 404, error: { code: 'not_found' } });
});

it('have settings that only those see who see alerts', async () => {
  const { call, keys, addPerson } = service.get();
  const { body: before } = await call('get_settings');
  expect(before.alerts).toEqual({
    low_balance_usd: '5.00',
    mail_roles: ['administrator'],
    mail_to: [],
    verification_mail_to: null,
    bill_difference_percent: 2,
  });
  const alerts = { low_balance_usd: null, mail_roles: [], mail_to: ['Ops@Example.org'] };
  await call('update_settings', { body: { alerts } });
  await call('update_settings', { body: { alerts: { verification_mail_to: 'keeper@example.org' } } });
  const { session } = await addPerson('auditor');
  expect((await call('get_settings', { key: session })).body.alerts).toEqual({
    ...alerts,
    mail_to: ['ops@example.org'],
    verification_mail_to: 'keeper@example.org',
    bill_difference_percent: 2,
  });
  expect((await call('get_settings', { key: keys.member })).body).not.toHaveProperty('alerts');
  const [event] = (await call('list_audit_events', { query: { action: 'settings.changed' } })).body.data;
  expect(event).toMatchObject({
    before: { 'alerts.verification_mail_to': null },
    after: { 'alerts.verification_mail_to': 'keeper@example.org' },
  });
});

it.each([
  ['low_balance_usd', { low_balance_usd: '0' }],
  ['low_balance_usd', { low_balance_usd: '-1' }],
  ['low_balance_usd', { low_balance_usd: '1000000000' }],
  ['mail_roles.0', { mail_roles: ['member'] }],
  ['mail_roles', { mail_roles: ['auditor', 'auditor'] }],
  ['mail_to.0', { mail_to: ['nobody'] }],
  ['mail_to.0', { mail_to: ['a@example.org\r\nBcc: b@example.org'] }],
  ['mail_to', { mail_to: Array.from({ length: 11 }, (_, at) => `p${at}@example.org`) }],
  ['mail_to', { mail_to: ['a@example.org', 'A@example.org'] }],
  ['verification_mail_to', { verification_mail_to: `${'a'.repeat(250)}@example.org` }],
])('names the setting %s that is out of bounds', async (field, alerts) => {
  const { status, error } = await service.get().callError('update_settings', { body: { alerts } });
  expect([status, error.details?.[0]?.path]).toEqual([422, `alerts.${field}`]);
});
