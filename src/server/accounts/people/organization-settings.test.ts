import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await createTestService();
});
afterAll(() => service.close());

describe('the name of the organization', () => {
  it('can be changed, without spaces around it, and is audited', async () => {
    const { body } = await service.call('update_settings', { body: { organization_name: '  Harbor & Sons ' } });
    expect(body.organization_name).toBe('Harbor & Sons');
    expect((await service.call('get_me')).body.organization.name).toBe('Harbor & Sons');
    const { body: events } = await service.call('list_audit_events', { query: { limit: '1' } });
    expect(events.data[0]).toMatchObject({
      action: 'settings.changed',
      before: { organization_name: expect.any(String) },
      after: { organization_name: 'Harbor & Sons' },
    });
  });

  it.each(['', '   ', 'x'.repeat(81)])('is refused as %j', async (organization_name) => {
    const { status, error } = await service.callError('update_settings', { body: { organization_name } });
    expect([status, error.details?.[0]?.path]).toEqual([422, 'organization_name']);
    expect((await service.call('get_settings')).body.organization_name).toBe('Harbor & Sons');
  });
});
