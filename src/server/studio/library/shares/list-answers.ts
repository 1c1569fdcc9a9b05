import { and, desc, eq, lt } from 'drizzle-orm';
import type { QueryOf } from '#contract/api/endpoints.ts';
import type { List } from '#contract/primitives.ts';
import type { ShareAnswer } from '#contract/resources/share.ts';
import { findVisible } from '#server/accounts/people/own-work.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { parsePageCursor, presentPage } from '#server/platform/core/list-page.ts';
import { shareAnswers, shares } from '#server/platform/db/schema/share-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mediaName } from '#server/studio/assets/media-name.ts';
import { findMediaRows } from '#server/studio/library/media-rows.ts';
import { sharesOf } from './list-shares.ts';
import { presentAnswer } from './read-answers.ts';

/** A page of answers on one's own shares, the latest first. @throws {ApiError} 400 `invalid_request` for an invalid cursor */
export async function listAnswers(
  deps: Deps,
  caller: Caller,
  { limit, cursor, share_id }: QueryOf<'list_share_answers'>,
): Promise<List<ShareAnswer>> {
  const scope = { organization_id: caller.organization_id, list: 'share_answers' } as const;
  const before = parsePageCursor(deps.secrets, scope, cursor);
  const rows = await deps.db
    .select({ answer: shareAnswers })
    .from(shareAnswers)
    .innerJoin(
      shares,
      and(
        eq(shares.id, shareAnswers.share_id),
        sharesOf(caller, share_id === undefined ? [] : ['settings.manage', 'audit.read']),
      ),
    )
    .where(
      and(
        eq(shareAnswers.organization_id, caller.organization_id),
        share_id === undefined ? undefined : eq(shareAnswers.share_id, share_id),
        before === undefined ? undefined : lt(shareAnswers.id, before),
      ),
    )
    .orderBy(desc(shareAnswers.id))
    .limit(limit + 1);
  return presentPage(deps.secrets, scope, {
    rows: rows.map(({ answer }) => answer),
    limit,
    position: ({ id }) => id,
    async present(page) {
      const visible = await findVisible(
        deps,
        caller,
        page.map(({ media_id }) => media_id),
      );
      const media = await findMediaRows(deps.db, caller.organization_id, [...visible]);
      return page.map((row) => {
        const medium = media.get(row.media_id);
        return { ...presentAnswer(row), media_name: medium ? mediaName(medium) : null };
      });
    },
  });
}
