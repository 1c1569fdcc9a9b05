import type { Db } from '#server/platform/db/db.ts';
import { type SQL, and, asc, desc, eq, getTableColumns, gt, lt, lte, sql } from 'drizzle-orm';
import { auditEvents } from '#server/platform/db/schema/audit-schema.ts';
import type { Deps } from '#server/platform/deps.ts';

/** `before` and `after` as the exact text that the hash covers. */
export type AuditRow = typeof auditEvents.$inferSelect & { before_text: string | null; after_text: string | null };

const WINDOW_EVENTS = 1_000;

/** Reads the events of a range of numbers, oldest first, in batches, so that memory does not grow with the log. */
export async function* readAuditEvents(
  db: Db,
  organizationId: string,
  { after: start, last, condition }: { after: bigint; last: bigint; condition?: SQL | undefined },
): AsyncGenerator<AuditRow[]> {
  let after = start;
  for (;;) {
    const rows = await db
      .select({
        ...getTableColumns(auditEvents),
        before_text: sql<string | null>`${auditEvents.before}::text`,
        after_text: sql<string | null>`${auditEvents.after}::text`,
      })
      .from(auditEvents)
      .where(
        and(
          eq(auditEvents.organization_id, organizationId),
          gt(auditEvents.seq, after),
          lte(auditEvents.seq, last),
          condition,
        ),
      )
      .orderBy(asc(auditEvents.seq))
      .limit(WINDOW_EVENTS);
    const newest = rows.at(-1);
    if (!newest) return;
    yield rows;
    after = newest.seq;
  }
}

/** Returns number and hash of the last event, or of the last before a time; null if there is none. */
export async function findAuditHead(
  { db }: { db: Pick<Deps['db'], 'select'> },
  organizationId: string,
  before?: Date,
): Promise<{ seq: bigint; hash: string } | null> {
  const [row] = await db
    .select({ seq: auditEvents.seq, hash: auditEvents.hash })
    .from(auditEvents)
    .where(and(eq(auditEvents.organization_id, organizationId), before && lt(auditEvents.created_at, before)))
    .orderBy(desc(auditEvents.created_at), desc(auditEvents.seq))
    .limit(1);
  return row ?? null;
}
