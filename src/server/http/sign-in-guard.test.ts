import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditEvents } from '#server/platform/db/schema/audit-schema.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await createTestService();
});
afterAll(() => service.close());

it('limits failed sign-ins of an address and records them once in a minute, without the token', async () => {
  const token = 'mgs_lnk_a-guess';
  const signIn = () => service.request('sign_in', { key: null, body: { token } });
  const statuses = [];
  for (let attempt = 0; attempt < 31; attempt += 1) statuses.push((await signIn()).status);
  expect(statuses).toEqual([...Array<number>(30).fill(401), 429]);
  const { error, headers } = await service.callError('sign_in', { key: null, body: { token } });
  expect(error.message).toMatch(/^Too many failed sign-ins\. Try again in \d+ s\.$/);
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  const preview = await service.callError('preview_invitation', { key: null, body: { token } });
  expect(preview.status).toBe(429);
  const failures = await service.deps.db.select().from(auditEvents).where(eq(auditEvents.action, 'sign_in.failed'));
  expect(failures).toMatchObject([{ actor_type: 'unknown', address: '127.0.0.1', after: { cause: 'link_not_valid' } }]);
  expect(
    JSON.stringify(failures, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
  ).not.toContain('guess');
});

it('lets those through who are signed in', async () => {
  const { session } = await service.addPerson('viewer');
  expect((await service.request('get_me', { key: session })).status).toBe(200);
});
