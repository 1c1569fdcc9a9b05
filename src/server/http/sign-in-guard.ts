import { asc } from 'drizzle-orm';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { type AuditChange, recordAuditEvent } from '#server/audit/record-audit-event.ts';
import { ApiError } from '#server/core/api-error.ts';
import { consumeRateLimit } from '#server/core/consume-rate-limit.ts';
import { organizations } from '#server/db/organization-schema.ts';
import type { Deps } from '#server/deps.ts';
import { networkPrefix } from './rate-limit.ts';

/** Counts in this process, like the other limits on requests. Decision: Sign-in */
const FAILURES_PER_MINUTE = 30;
const MAILS_PER_ADDRESS = { points: 20, duration: 900 };
const MAILS_PER_EMAIL = { points: 5, duration: 900 };

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

export function createSignInGuard({ db, clock }: Pick<Deps, 'db' | 'clock'>): SignInGuard {
  const failures = new RateLimiterMemory({ points: FAILURES_PER_MINUTE, duration: 60 });
  const events = new RateLimiterMemory({ points: 1, duration: 60 });
  const mails_by_address = new RateLimiterMemory(MAILS_PER_ADDRESS);
  const mails_by_email = new RateLimiterMemory(MAILS_PER_EMAIL);

  const isFirst = async (key: string): Promise<boolean> => {
    try {
      await events.consume(key);
      return true;
    } catch (error) {
      if (error instanceof RateLimiterRes) return false;
      throw error;
    }
  };

  return {
    async admit(address) {
      const used = await failures.get(networkPrefix(address));
      if (used === null || used.remainingPoints > 0) return;
      const retry_after_seconds = Math.max(1, Math.ceil(used.msBeforeNext / 1000));
      const message = `Too many failed sign-ins. Try again in ${retry_after_seconds} s.`;
      throw new ApiError('rate_limit_exceeded', message, { retry_after_seconds });
    },
    async fail(address, { cause, action = 'sign_in.failed', organization_id: known, target }) {
      await failures.penalty(networkPrefix(address));
      if (!(await isFirst(`${networkPrefix(address)} ${action} ${cause}`))) return;
      const organization_id = known ?? (await findFirstOrganization(db));
      if (organization_id === null) return;
      const actor = { organization_id, type: 'unknown', name: 'Unknown', address } as const;
      const change = { action, target: target ?? { type: 'sign_in' }, after: { cause } };
      await db.transaction((tx) => recordAuditEvent(tx, actor, change, clock.now()));
    },
    async countMail(address, email) {
      await consumeRateLimit(mails_by_address, networkPrefix(address));
      await consumeRateLimit(mails_by_email, email);
    },
  };
}

async function findFirstOrganization(db: Deps['db']): Promise<string | null> {
  const [first] = await db.select({ id: organizations.id }).from(organizations).orderBy(asc(organizations.id)).limit(1);
  return first?.id ?? null;
}
