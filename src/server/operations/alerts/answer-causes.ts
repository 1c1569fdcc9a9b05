import { and, eq, gt, inArray, isNull } from 'drizzle-orm';
import type { ClientVerdict } from '#contract/statuses.ts';
import { collectionItems } from '#server/platform/db/schema/collection-schema.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { shareAnswers, shares } from '#server/platform/db/schema/share-schema.ts';
import { findMediaRows } from '#server/studio/library/media-rows.ts';
import type { ShareRow } from '#server/studio/library/shares/present-shares.ts';
import { type AlertCause, dayOf } from './alert-cause.ts';

const DAY_MS = 24 * 3_600_000;
/** A client who still answers is told about once, when they stop. */
const QUIET_MS = 2 * 60_000;

const VERDICT_LABELS = {
  changes_requested: 'with changes requested',
  approved: 'approved',
  picked: 'picked',
  commented: 'commented',
} as const satisfies Record<ClientVerdict, string>;

interface ClientAnswers {
  share: ShareRow;
  client_id: string;
  name: string;
  verdicts: Map<string, ClientVerdict>;
  newest: Date;
}

/** What clients answered within a day, once they pause or have approved all: one alert for each client, page and day. */
export async function findClientAnswers(tx: Tx, organizationId: string, now: Date): Promise<AlertCause[]> {
  const causes: AlertCause[] = [];
  for (const client of await listClients(tx, organizationId, now)) {
    const { share, client_id, name, verdicts, newest } = client;
    const total = await countFiles(tx, share);
    const isApproved = verdicts.size >= total && [...verdicts.values()].every((verdict) => verdict === 'approved');
    if (!isApproved && now.getTime() - newest.getTime() < QUIET_MS) continue;
    const page = share.title ? `“${share.title}”` : 'a shared page';
    causes.push({
      kind: isApproved ? 'client_approved' : 'client_answered',
      subject_id: share.id,
      subject_name: share.title ?? '',
      period: `${dayOf(newest)} ${client_id}`,
      message: isApproved
        ? `${name} approved ${total === 1 ? 'the file' : `all ${total} files`} of ${page}.`
        : `${name} answered ${verdicts.size} of ${total} on ${page}: ${summarize([...verdicts.values()])}.`,
    });
  }
  return causes;
}

const summarize = (verdicts: readonly ClientVerdict[]): string =>
  (Object.keys(VERDICT_LABELS) as ClientVerdict[])
    .map((verdict) => ({ verdict, count: verdicts.filter((each) => each === verdict).length }))
    .filter(({ count }) => count > 0)
    .map(({ verdict, count }) => `${count} ${VERDICT_LABELS[verdict]}`)
    .join(', ');

/** Clients whose newest answer is of the last day, with all of their answers to files that no newer version replaces. */
async function listClients(tx: Tx, organizationId: string, now: Date): Promise<ClientAnswers[]> {
  const isRecent = and(
    eq(shareAnswers.organization_id, organizationId),
    gt(shareAnswers.created_at, new Date(now.getTime() - DAY_MS)),
  );
  const recent = tx.selectDistinct({ id: shareAnswers.share_id }).from(shareAnswers).where(isRecent);
  const rows = await tx
    .select({ share: shares, answer: shareAnswers })
    .from(shareAnswers)
    .innerJoin(shares, eq(shares.id, shareAnswers.share_id))
    .where(and(inArray(shares.id, recent), isNull(shares.revoked_at)))
    .orderBy(shareAnswers.id);
  const clients = new Map<string, ClientAnswers>();
  for (const { share, answer } of rows) {
    if (share.versions.some(({ replaces }) => replaces === answer.media_id)) continue;
    const { client_id, client_name, media_id, verdict, created_at } = answer;
    const key = `${share.id} ${client_id}`;
    const client = clients.get(key) ?? { share, client_id, name: client_name, verdicts: new Map(), newest: created_at };
    client.verdicts.set(media_id, verdict);
    clients.set(key, { ...client, newest: created_at });
  }
  return [...clients.values()].filter(({ newest }) => now.getTime() - newest.getTime() < DAY_MS);
}

async function countFiles(tx: Tx, { organization_id, media_ids, collection_id, versions }: ShareRow): Promise<number> {
  if (media_ids === null) return tx.$count(collectionItems, eq(collectionItems.collection_id, collection_id ?? ''));
  const current = media_ids.filter((id) => versions.every(({ replaces }) => replaces !== id));
  return (await findMediaRows(tx, organization_id, current, 0)).size;
}
