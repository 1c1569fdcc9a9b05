import type { FastifyReply, FastifyRequest } from 'fastify';
import type { EndpointSpec } from '#contract/api/endpoint.ts';
import { KEY_KIND_PERMISSIONS, type Permission, ROLE_PERMISSIONS, ROLES } from '#contract/permissions.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import type { Deps } from '#server/platform/deps.ts';
import { findCredential, type UsedSession } from '#server/accounts/keys/find-caller.ts';
import { rotateSession } from '#server/accounts/keys/rotate-session.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { RateLimit } from './rate-limit.ts';
import { readSessionCookie, serializeSessionCookie } from './session-cookie.ts';
import type { Config } from '#server/platform/core/settings/config.ts';

type AuthenticateDeps = Deps & { rate_limit: RateLimit };
type Request = Pick<FastifyRequest, 'method' | 'headers' | 'ip' | 'protocol' | 'host'>;

/**
 * Authenticates a request and counts it against its key, or against its address if it has no valid key. A bearer
 * credential wins over a cookie; the secret of a cookie is rotated.
 * @returns undefined if the endpoint needs no key, and none is sent or matters
 * @throws {ApiError} 401 or 429. Decision: Order of checks
 */
export async function authenticate(
  deps: AuthenticateDeps,
  { permission, knows_caller }: Pick<EndpointSpec, 'permission' | 'knows_caller'>,
  request: Request,
  reply: Pick<FastifyReply, 'header'>,
): Promise<Caller | undefined> {
  if (permission === null) {
    await deps.rate_limit.countAddress(request.ip);
    // Without added models, everybody gets the same answer.
    return knows_caller && deps.offering.current().added.size > 0 ? findAnyCaller(deps, request) : undefined;
  }
  const { authorization } = request.headers;
  const cookie = authorization === undefined ? readSessionCookie(deps.config, request.headers) : null;
  const credential = cookie ?? parseBearerToken(authorization);
  if (credential !== null) await deps.rate_limit.rejectUnknownKey(request.ip, credential);
  const found = credential === null ? null : await findCredential(deps, credential, request.ip);
  if (found?.caller.permissions.has(permission)) {
    await deps.rate_limit.countKey(found.caller.key_id);
    if (cookie !== null) await useCookie(deps, request, reply, found.session);
    return found.caller;
  }
  await deps.rate_limit.countAddress(request.ip);
  if (found) throw new ApiError('authentication_error', missingPermissionMessage(found.caller, permission));
  if (cookie !== null) throw new ApiError('authentication_error', 'Your session has ended. Sign in again.');
  throw new ApiError(
    'authentication_error',
    credential === null ? 'Send an API key: Authorization: Bearer <key>.' : 'This key is unknown or was revoked.',
  );
}

/**
 * Authenticates a program by its Authorization header alone: a page of another site could use a cookie.
 * @param credential.authorization `Bearer …`
 * @throws {ApiError} 401 or 429
 */
export async function authenticateProgram(
  deps: AuthenticateDeps,
  { permission, authorization }: { permission: Permission; authorization: string | undefined },
  { method, headers, ip, protocol, host }: Request,
  reply: Pick<FastifyReply, 'header'>,
): Promise<Caller> {
  const { cookie: _, ...others } = headers;
  const request = { method, headers: { ...others, authorization }, ip, protocol, host };
  const caller = await authenticate(deps, { permission }, request, reply);
  if (!caller) throw new Error('A permission is required, so there is a caller.');
  return caller;
}

/** Whoever sent a request that needs no credential; undefined: nobody who is known. */
async function findAnyCaller(deps: AuthenticateDeps, request: Request): Promise<Caller | undefined> {
  const { authorization } = request.headers;
  const credential =
    authorization === undefined ? readSessionCookie(deps.config, request.headers) : parseBearerToken(authorization);
  const found = credential === null ? null : await findCredential(deps, credential, request.ip);
  return found?.caller;
}

async function useCookie(
  deps: AuthenticateDeps,
  request: Request,
  reply: Pick<FastifyReply, 'header'>,
  session: UsedSession | null,
): Promise<void> {
  assertSameOrigin(deps.config, request);
  const secret = session && (await rotateSession(deps, session));
  if (secret) reply.header('set-cookie', serializeSessionCookie(deps.config, secret));
}

/** For a part of an endpoint that needs more than the endpoint. @throws {ApiError} 401 */
export function assertPermission(caller: Caller, permission: Permission): void {
  if (caller.permissions.has(permission)) return;
  throw new ApiError('authentication_error', missingPermissionMessage(caller, permission));
}

function missingPermissionMessage({ kind, person, scopes }: Caller, permission: Permission): string {
  if (person && !ROLE_PERMISSIONS[person.role].includes(permission)) {
    const allowed = ROLES.filter((role) => ROLE_PERMISSIONS[role].includes(permission)).join(' or ');
    return `Your role is ${person.role}. This requires the role ${allowed}.`;
  }
  if (permission === 'account.manage') {
    return 'A key cannot change an account. Sign in to the dashboard with a passkey, a mailed link or your identity provider.';
  }
  if (scopes?.read_only) return 'This key is read-only.';
  if (kind === 'publishing') {
    return 'A publishing key can only upload files. Use an organization key or a standard key.';
  }
  if (!KEY_KIND_PERMISSIONS[kind].includes(permission)) return 'This requires an organization key.';
  return scopes
    ? 'This key is limited to tasks or models, so it manages nothing. Use a key without scopes.'
    : 'This key expires, so it manages neither keys nor people. Use a key without an expiry.';
}

function parseBearerToken(header: string | undefined): string | null {
  const [, key] = /^Bearer +([\x21-\x7e]{1,512})$/i.exec(header ?? '') ?? [];
  return key ?? null;
}

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Whether a request was sent by a page of the service itself. Browsers send at least one of the two headers with
 * requests that change something.
 */
export function isSameOrigin(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { headers, protocol, host }: Pick<FastifyRequest, 'headers' | 'protocol' | 'host'>,
): boolean {
  const site = headers['sec-fetch-site'];
  return site === undefined
    ? headers.origin === publicUrl || headers.origin === `${protocol}://${host}`
    : site === 'same-origin';
}

/** Rejects a request with a cookie that another site may have sent. @throws {ApiError} 401. Decision: Sign-in */
function assertSameOrigin(config: Pick<Config, 'publicUrl'>, request: Request): void {
  if (SAFE_METHODS.includes(request.method) || isSameOrigin(config, request)) return;
  throw new ApiError(
    'authentication_error',
    'This request came from another site. Open the dashboard of this service and try again.',
  );
}
