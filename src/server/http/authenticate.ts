import type { FastifyRequest } from 'fastify';
import type { EndpointSpec } from '#contract/endpoint.ts';
import { type Permission, ROLE_PERMISSIONS, ROLES } from '#contract/permissions.ts';
import type { Caller } from '#server/core/caller.ts';
import type { Deps } from '#server/deps.ts';
import { findCaller } from '#server/keys/find-caller.ts';
import { ApiError } from '#server/core/api-error.ts';
import type { RateLimit } from './rate-limit.ts';

/**
 * Authenticates a request and counts it against its key, or against its address if it has no valid key.
 * @returns undefined if the endpoint needs no key
 * @throws {ApiError} 401 or 429. Decision: Order of checks
 */
export async function authenticate(
  deps: Pick<Deps, 'db' | 'clock' | 'log'> & { rate_limit: RateLimit },
  { permission }: Pick<EndpointSpec, 'permission'>,
  request: Pick<FastifyRequest, 'headers' | 'ip'>,
): Promise<Caller | undefined> {
  if (permission === null) {
    await deps.rate_limit.countAddress(request.ip);
    return undefined;
  }
  const key = parseBearerToken(request.headers.authorization);
  if (key !== null) await deps.rate_limit.rejectUnknownKey(request.ip, key);
  const caller = key === null ? null : await findCaller(deps, key, request.ip);
  if (caller && caller.permissions.has(permission)) {
    await deps.rate_limit.countKey(caller.key_id);
    return caller;
  }
  await deps.rate_limit.countAddress(request.ip);
  if (caller) throw new ApiError('authentication_error', missingPermissionMessage(caller, permission));
  throw new ApiError(
    'authentication_error',
    key === null ? 'Send an API key: Authorization: Bearer <key>.' : 'This key is unknown or was revoked.',
  );
}

function missingPermissionMessage({ kind, person, scopes }: Caller, permission: Permission): string {
  if (person && !ROLE_PERMISSIONS[person.role].includes(permission)) {
    const allowed = ROLES.filter((role) => ROLE_PERMISSIONS[role].includes(permission)).join(' or ');
    return `Your role is ${person.role}. This requires the role ${allowed}.`;
  }
  if (scopes?.read_only) return 'This key is read-only.';
  if (kind === 'publishing') {
    return 'A publishing key can only upload files. Use an organization key or a member key.';
  }
  return 'This requires an organization key.';
}

function parseBearerToken(header: string | undefined): string | null {
  const [, key] = /^Bearer +([\x21-\x7e]{1,512})$/i.exec(header ?? '') ?? [];
  return key ?? null;
}
