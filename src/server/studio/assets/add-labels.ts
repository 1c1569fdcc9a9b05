import { and, eq, inArray } from 'drizzle-orm';
import { FILE_TAGS, splitFileTags } from '#contract/file-tags.ts';
import { mediaLabels } from '#server/platform/db/schema/collection-schema.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { labelKey, normalizeLabel } from './normalize-label.ts';

/** Spellings by key; the first one counts. @param labels see `normalizeLabel` */
export const labelsByKey = (labels: readonly string[]): Map<string, string> =>
  new Map(labels.toReversed().map((label) => [labelKey(label), label]));

/** The labels that an order asks for its files, without those that are not valid. Decision: Labels */
export const orderLabels = (metadata: Readonly<Record<string, string>> | null): Map<string, string> =>
  labelsByKey(splitFileTags(metadata?.[FILE_TAGS]).flatMap((tag) => normalizeLabel(tag) ?? []));

interface AddedLabels {
  organization_id: string;
  media_ids: readonly string[];
  labels: ReadonlyMap<string, string>;
  at: Date;
}

/** Adds labels to media. One that the organization has keeps its spelling. Index the media afterwards. */
export async function addLabels(tx: Tx, { organization_id, media_ids, labels, at }: AddedLabels): Promise<void> {
  if (labels.size === 0 || media_ids.length === 0) return;
  const { label, text } = mediaLabels;
  const known = await tx
    .selectDistinct({ label, text })
    .from(mediaLabels)
    .where(and(eq(mediaLabels.organization_id, organization_id), inArray(label, [...labels.keys()])));
  const spellings = new Map([...labels, ...known.map((row) => [row.label, row.text] as const)]);
  const rows = media_ids.flatMap((media_id) =>
    [...spellings].map(([key, spelling]) => ({
      organization_id,
      label: key,
      text: spelling,
      media_id,
      created_at: at,
    })),
  );
  await tx.insert(mediaLabels).values(rows).onConflictDoNothing();
}
