import { type SQL, and, count, desc, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import type { QueryOf } from '#contract/api/endpoints.ts';
import type { ClientAnswer } from '#contract/resources/media.ts';
import type { Db } from '#server/platform/db/db.ts';
import type { assets, uploads } from '#server/platform/db/schema/schema.ts';
import { shareAnswers } from '#server/platform/db/schema/share-schema.ts';

type AnswerRow = typeof shareAnswers.$inferSelect;

const MAX_PER_MEDIUM = 20;

export const presentAnswer = (row: AnswerRow): ClientAnswer => ({
  id: row.id,
  object: 'share_answer',
  share_id: row.share_id,
  media_id: row.media_id,
  client_name: row.client_name,
  verdict: row.verdict,
  comment: row.comment,
  created_at: row.created_at.toISOString(),
});

/** The answers about media, the latest first. Media without answers are missing. */
export async function readAnswers(
  db: Pick<Db, 'select'>,
  mediaIds: readonly string[],
  shareId?: string,
): Promise<Map<string, ClientAnswer[]>> {
  const answers = new Map<string, ClientAnswer[]>();
  if (mediaIds.length === 0) return answers;
  const rows = await db
    .select()
    .from(shareAnswers)
    .where(
      and(
        inArray(shareAnswers.media_id, [...mediaIds]),
        shareId === undefined ? undefined : eq(shareAnswers.share_id, shareId),
      ),
    )
    .orderBy(desc(shareAnswers.id));
  for (const row of rows) {
    const known = answers.get(row.media_id) ?? [];
    if (known.length < MAX_PER_MEDIUM) answers.set(row.media_id, [...known, presentAnswer(row)]);
  }
  return answers;
}

/** Matches media that clients answered about. Decision: Client answers */
export function hasAnswer(
  table: typeof assets | typeof uploads,
  organizationId: string,
  { client_answer: answer = 'any', share_id }: Pick<QueryOf<'list_media'>, 'client_answer' | 'share_id'>,
): SQL {
  const isWanted =
    answer === 'any'
      ? undefined
      : answer === 'commented'
        ? isNotNull(shareAnswers.comment)
        : eq(shareAnswers.verdict, answer);
  return sql`${table.id} in (select ${shareAnswers.media_id} from ${shareAnswers}
    where ${and(eq(shareAnswers.organization_id, organizationId), isWanted, share_id === undefined ? undefined : eq(shareAnswers.share_id, share_id))})`;
}

/** The answers to each file of shares, by share and file. */
export async function countAnswers(
  db: Pick<Db, 'select'>,
  shareIds: readonly string[],
): Promise<Map<string, Map<string, number>>> {
  const rows = await db
    .select({ share_id: shareAnswers.share_id, media_id: shareAnswers.media_id, count: count() })
    .from(shareAnswers)
    .where(inArray(shareAnswers.share_id, [...shareIds]))
    .groupBy(shareAnswers.share_id, shareAnswers.media_id);
  const shares = new Map<string, Map<string, number>>();
  for (const { share_id, media_id, count } of rows)
    shares.set(share_id, (shares.get(share_id) ?? new Map<string, number>()).set(media_id, count));
  return shares;
}
