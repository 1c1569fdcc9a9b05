import { and, count, desc, eq, lte } from 'drizzle-orm';
import { ledgerVerifications } from '#server/platform/db/schema/alert-schema.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { requests } from '#server/platform/db/schema/request-schema.ts';
import { reviews } from '#server/platform/db/schema/review-schema.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import { type AlertCause, dayOf, organizationCause } from './alert-cause.ts';

const MAX_WAIT_MS = 24 * 3_600_000;

/** Generations and requests that have waited for a decision for a day: one alert a day, however many there are. */
export async function findWaitingReviews(tx: Tx, organizationId: string, now: Date): Promise<AlertCause[]> {
  const before = new Date(now.getTime() - MAX_WAIT_MS);
  const [held] = await tx
    .select({ count: count() })
    .from(generations)
    .innerJoin(reviews, eq(reviews.generation_id, generations.id))
    .where(
      and(
        eq(generations.organization_id, organizationId),
        eq(generations.status, 'manual_review'),
        lte(reviews.opened_at, before),
      ),
    );
  const [asked] = await tx
    .select({ count: count() })
    .from(requests)
    .where(
      and(
        eq(requests.organization_id, organizationId),
        eq(requests.status, 'pending'),
        lte(requests.created_at, before),
      ),
    );
  const waiting = (held?.count ?? 0) + (asked?.count ?? 0);
  if (waiting === 0) return [];
  const subject = waiting === 1 ? 'One generation or request has' : `${waiting} generations and requests have`;
  return [organizationCause('review_waiting', dayOf(now), `${subject} waited for a decision for more than a day.`)];
}

/** A mismatch that the newest daily verification found. */
export async function findVerificationMismatch(tx: Tx, organizationId: string): Promise<AlertCause[]> {
  const [newest] = await tx
    .select()
    .from(ledgerVerifications)
    .where(eq(ledgerVerifications.organization_id, organizationId))
    .orderBy(desc(ledgerVerifications.date))
    .limit(1);
  if (!newest || newest.ok) return [];
  const problem = newest.result.problem?.message ?? 'The ledger does not match its record.';
  return [organizationCause('verification_mismatch', newest.date, `The daily verification failed. ${problem}`)];
}
