import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EndpointSpec } from '#contract/api/endpoint.ts';
import { endpoints, type EndpointName } from '#contract/api/endpoints.ts';
import { ROLE_PERMISSIONS, ROLES, type Role } from '#contract/permissions.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';

let service: TestService;
const sessions = new Map<Role, string>();
beforeAll(async () => {
  service = await createTestService({
    config: { rateLimitPerMinute: 10_000, publicRateLimitPerMinute: 10_000 },
  });
  for (const role of ROLES) sessions.set(role, (await service.addPerson(role)).session);
});
afterAll(() => service.close());

const PATH_VALUE = '00000000000000000000000000';
const guarded = Object.entries(endpoints as Record<string, EndpointSpec>).flatMap(([name, { permission }]) =>
  permission === null ? [] : [{ name: name as EndpointName, permission }],
);

/** The message of a rejected role; null: the request got past it. */
async function findRejection(name: EndpointName, key: string): Promise<string | null> {
  const { method, path }: EndpointSpec = endpoints[name];
  const url = path.replaceAll(/\{\w+\}/g, PATH_VALUE);
  const response = await service.app.inject({ method, url, headers: { authorization: `Bearer ${key}` } });
  if (response.statusCode !== 401) return null;
  return response.json<{ error: { message: string } }>().error.message;
}

describe.each(ROLES)('a person with the role %s', (role) => {
  it.each(guarded)('is let through to $name exactly with the permission $permission', async ({ name, permission }) => {
    // Ends the session.
    if (name === 'delete_session') return;
    const rejection = await findRejection(name, sessions.get(role) ?? '');
    if (name === 'create_session') expect(rejection).toMatch(/A session cannot open another one/);
    else if (ROLE_PERMISSIONS[role].includes(permission)) expect(rejection).toBeNull();
    else expect(rejection).toMatch(new RegExp(`^Your role is ${role}\\. This requires the role `));
  });
});
