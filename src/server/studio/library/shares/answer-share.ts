import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import * as z from 'zod/mini';
import { MAX_CLIENT_COMMENT_LENGTH, MAX_CLIENT_NAME_LENGTH, MAX_SHARE_ANSWERS } from '#contract/limits.ts';
import type { ClientVerdict } from '#contract/statuses.ts';
import type { ShareRequest } from '#contract/resources/share.ts';
import { recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import { createId } from '#server/platform/core/create-id.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { shareAnswers, shares } from '#server/platform/db/schema/share-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mediaName } from '#server/studio/assets/media-name.ts';
import { findMediaRows } from '#server/studio/library/media-rows.ts';
import { findSharedId, type OpenShare } from './open-share.ts';
import type { ShareRow } from './present-shares.ts';
import { matchesShareCode } from './share-code.ts';

/** Who answers on a share page: a browser that gave a name and, where the page has one, the code. */
export interface ShareClient {
  id: string;
  name: string;
  address: string;
}

/** Why nothing was saved, for the page; `field` is the one to correct. */
export class AnswerProblem extends Error {
  readonly field: 'name' | 'code' | 'comment' | null;

  constructor(field: AnswerProblem['field'], message: string) {
    super(message);
    this.field = field;
  }
}

export const VERDICTS = {
  picks: ['picked'],
  approval: ['approved', 'changes_requested'],
  comments: ['commented'],
} as const satisfies Record<ShareRequest, readonly ClientVerdict[]>;

const Cookie = z.strictObject({ id: z.string(), name: z.string() });

/** A new code makes earlier cookies worthless. */
const cookieOwner = ({ id, code_hash }: ShareRow) => `${id} ${code_hash ?? ''}`;

/** @returns null for a cookie of another share, another code or another service */
export function findClient({ secrets }: Deps, { row }: OpenShare, cookie: string, address: string): ShareClient | null {
  const text = secrets.decrypt('share-client', cookieOwner(row), cookie);
  return text === null ? null : { ...Cookie.parse(JSON.parse(text)), address };
}

/** @returns the cookie of a new client @throws {AnswerProblem} */
export async function enterShare(
  { secrets }: Deps,
  { row }: OpenShare,
  entered: { name: string; code: string },
): Promise<string> {
  const name = entered.name.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
  if (name === '') throw new AnswerProblem('name', 'Enter your name, so that we know who answers.');
  if ([...name].length > MAX_CLIENT_NAME_LENGTH)
    throw new AnswerProblem('name', `A name can have up to ${MAX_CLIENT_NAME_LENGTH} characters.`);
  if (row.code_hash !== null && !(await matchesShareCode(row.id, entered.code.trim(), row.code_hash)))
    throw new AnswerProblem('code', 'This code is not right. Ask who sent you the link.');
  return secrets.encrypt('share-client', cookieOwner(row), JSON.stringify({ id: randomUUID(), name }));
}

/** What a client has answered, by file. */
export async function readOwnAnswers({ db }: Deps, { row }: OpenShare, client: ShareClient) {
  const isOwn = and(eq(shareAnswers.share_id, row.id), eq(shareAnswers.client_id, client.id));
  return new Map((await db.select().from(shareAnswers).where(isOwn)).map((answer) => [answer.media_id, answer]));
}

/**
 * Saves what a client says about a file, in place of what they said before. The same again changes nothing.
 * @param answer.sealed the file, from its link on the page
 * @param answer.verdict null takes the answer back
 * @throws {AnswerProblem}
 */
export async function answerShare(
  deps: Deps,
  share: OpenShare,
  client: ShareClient,
  { sealed, verdict, text }: { sealed: string; verdict: ClientVerdict | null; text: string },
): Promise<void> {
  const next = verdict && { verdict, comment: parseComment(verdict, text) };
  const mediaId = await findSharedId(deps, share, sealed);
  const medium = mediaId && (await findMediaRows(deps.db, share.row.organization_id, [mediaId])).get(mediaId);
  if (!medium) throw new AnswerProblem(null, 'This file is no longer here. Nothing was saved.');
  await deps.db.transaction(async (tx) => {
    const [row] = await tx.select().from(shares).where(eq(shares.id, share.row.id)).for('update');
    const asked: readonly ClientVerdict[] = row?.asks_for && !row.revoked_at ? VERDICTS[row.asks_for] : [];
    if (!row || asked.length === 0 || (next && !asked.includes(next.verdict)))
      throw new AnswerProblem(null, 'This page does not ask for this any more. Nothing was saved.');
    const { id: share_id, organization_id, title, taken_answers } = row;
    const isOwn = and(
      eq(shareAnswers.share_id, share_id),
      eq(shareAnswers.client_id, client.id),
      eq(shareAnswers.media_id, medium.id),
    );
    const [before] = await tx.select().from(shareAnswers).where(isOwn);
    if (next ? before?.verdict === next.verdict && before.comment === next.comment : !before) return;
    const clientName = await findFreeName(tx, share_id, client);
    const now = deps.clock.now();
    await tx.delete(shareAnswers).where(isOwn);
    if (next) {
      if (taken_answers >= MAX_SHARE_ANSWERS)
        throw new AnswerProblem(
          null,
          'This page takes no more answers. Nothing was saved. Tell who sent you the link.',
        );
      const about = { organization_id, share_id, media_id: medium.id, client_id: client.id, client_name: clientName };
      await tx.insert(shareAnswers).values({ id: createId('ans', now), ...about, ...next, created_at: now });
      await tx
        .update(shares)
        .set({ taken_answers: taken_answers + 1 })
        .where(eq(shares.id, share_id));
    }
    const actor = {
      organization_id,
      type: 'client',
      name: `${clientName} (client)`,
      address: client.address,
    } as const;
    const file = { file: mediaName(medium), media_id: medium.id };
    const change = next
      ? ({ action: 'share.answered', after: { ...file, ...next } } as const)
      : ({ action: 'share.answer_withdrawn', after: { ...file, verdict: before?.verdict } } as const);
    await recordAuditEvent(tx, actor, { ...change, target: { type: 'share', id: share_id, name: title } }, now);
  });
}

function parseComment(verdict: ClientVerdict, text: string): string | null {
  const comment = text.replaceAll('\r\n', '\n').toWellFormed().replaceAll('\0', '').trim() || null;
  if (verdict === 'commented' && comment === null) throw new AnswerProblem('comment', 'Write a comment first.');
  if (verdict === 'changes_requested' && comment === null)
    throw new AnswerProblem('comment', 'Write what should change, then request changes. Nothing was saved.');
  if ([...(comment ?? '')].length > MAX_CLIENT_COMMENT_LENGTH) {
    const most = MAX_CLIENT_COMMENT_LENGTH.toLocaleString('en-US');
    throw new AnswerProblem('comment', `A comment can have up to ${most} characters. Nothing was saved.`);
  }
  return comment;
}

/** Two clients with one name stay apart: “Ana”, “Ana 2”. */
async function findFreeName(tx: Tx, shareId: string, client: ShareClient): Promise<string> {
  const rows = await tx
    .selectDistinct({ name: shareAnswers.client_name, client_id: shareAnswers.client_id })
    .from(shareAnswers)
    .where(eq(shareAnswers.share_id, shareId));
  const own = rows.find(({ client_id }) => client_id === client.id);
  if (own) return own.name;
  const taken = new Set(rows.map(({ name }) => name.toLowerCase()));
  let name = client.name;
  for (let next = 2; taken.has(name.toLowerCase()); next += 1) name = `${client.name} ${next}`;
  return name;
}
