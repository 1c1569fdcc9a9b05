import { asc } from 'drizzle-orm';
import { type AuditChange, recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { consumeRateLimit, createRateLimiter } from '#server/accounts/rate-limits/rate-limiter.ts';
import { organizations } from '#server/platform/db/schema/organization-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { networkPrefix } from './rate-limit.ts';

/** Decision: Sign-in */
const FAILURES_PER_MINUTE = 30;
const MAILS_PER_ADDRESS = { points: 20, window_seconds: 900 };
const MAILS_PER_EMAIL = { points: 5, window_seconds: 900 };

interface FailedSignIn {
  /** Short text for the audit log, such as `invitation_expired`. */
  cause: string;
  action?: 'sign_in.failed' | 'invitation.rejected';
  /** null: unknown, so the event is in the log of the organization that operates the service. */
  organization_id?: string | null;
  target?: AuditChange['target'];
}

export interface SignInGuard {
  /** @throws {ApiError} 429 after too many failed sign-ins from this address */
  admit(address: string): Promise<void>;
  /** Counts and records a failed sign-in: one event per address and cause in a minute. */
  fail(address: string, failure: FailedSignIn): Promise<void>;
  /** @throws {ApiError} 429 after too many mails for this address or network */
  countMail(address: string, email: string): Promise<void>;
}

export function createSignInGuard(deps: Deps): SignInGuard {
  const { db, clock } = deps;
  const createLimit = (name: string, limit: { points: number; window_seconds: number }) =>
    createRateLimiter(deps, { name, ...limit, is_exact: true });
  const failures = createLimit('sign_in', { points: FAILURES_PER_MINUTE, window_seconds: 60 });
  const events = createLimit('sign_in_event', { points: 1, window_seconds: 60 });
  const mailsByAddress = createLimit('mail_address', MAILS_PER_ADDRESS);
  const mailsByEmail = createLimit('mail', MAILS_PER_EMAIL);

  return {
    async admit(address) {
      const blockedMs = await failures.blockedMs(networkPrefix(address));
      if (blockedMs === null) return;
      const retryAfterSeconds = Math.max(1, Math.ceil(blockedMs / 1000));
      const message = `Too many failed sign-ins. Try again in ${retryAfterSeconds} s.`;
      throw new ApiError('rate_limit_exceeded', message, { retry_after_seconds: retryAfterSeconds });
    },
    async fail(address, { cause, action = 'sign_in.failed', organization_id: known, target }) {
      await failures.consume(networkPrefix(address));
      const isRepeated = (await events.consume(`${networkPrefix(address)} ${action} ${cause}`)) !== null;
      if (isRepeated) return;
      const organizationId = known ?? (await findFirstOrganization(db));
      if (organizationId === null) return;
      const actor = { organization_id: organizationId, type: 'unknown', name: 'Unknown', address } as const;
      const change = { action, target: target ?? { type: 'sign_in' }, after: { cause } };
      await db.transaction((tx) => recordAuditEvent(tx, actor, change, clock.now()));
    },
    async countMail(address, email) {
      await consumeRateLimit(mailsByAddress, networkPrefix(address));
      await consumeRateLimit(mailsByEmail, email);
    },
  };
}

async function findFirstOrganization(db: Deps['db']): Promise<string | null> {
  const [first] = await db.select({ id: organizations.id }).from(organizations).orderBy(asc(organizations.id)).limit(1);
  return first?.id ?? null;
}
