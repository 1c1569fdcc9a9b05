import { and, eq, or, sql } from 'drizzle-orm';
import type { Db } from '#server/platform/db/db.ts';
import { tagValues } from '#server/platform/db/schema/tag-schema.ts';
import type { ErrorDetail } from '#contract/api/errors.ts';
import { MAX_TAG_VALUE_LENGTH } from '#contract/limits.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import type { Deps } from '#server/platform/deps.ts';
import { readTags, type TagRow } from './manage-tags.ts';

export type TagValues = Readonly<Record<string, string>>;

/**
 * Copies the values of the organization's tags from metadata. Rules of a tag hold for people only: programs keep to the
 * interface, which knows no tags. Decision: Tags
 * @throws {ApiError} 422 `invalid_request` for a person's missing or unlisted value
 */
export async function readTagValues(
  deps: Deps,
  caller: Pick<Caller, 'organization_id' | 'person' | 'has_tags'>,
  metadata: TagValues | null | undefined,
): Promise<TagValues> {
  const values = (await createTagReader(deps.db, caller))(metadata);
  return { ...values, ...(await readSpellings(deps.db, caller.organization_id, values)) };
}

/** Values that were used before in another case: they are the same ones. */
async function readSpellings(db: Db, organizationId: string, values: TagValues): Promise<Record<string, string>> {
  const ways = Object.entries(values).map(([name, value]) =>
    and(eq(tagValues.name, name), eq(sql`lower(${tagValues.value})`, sql`lower(${value})`)),
  );
  if (ways.length === 0) return {};
  const rows = await db
    .selectDistinct({ name: tagValues.name, value: tagValues.value })
    .from(tagValues)
    .where(and(eq(tagValues.organization_id, organizationId), or(...ways)));
  const others = rows.filter(({ name }) => !rows.some((row) => row.name === name && row.value === values[name]));
  return Object.fromEntries(others.map(({ name, value }) => [name, value]));
}

/** Like `readTagValues`, for many orders: reads the tags once. */
export async function createTagReader(
  db: Db,
  caller: Pick<Caller, 'organization_id' | 'person' | 'has_tags'>,
): Promise<(metadata: TagValues | null | undefined) => TagValues> {
  const tags = caller.has_tags ? await readTags(db, caller.organization_id) : [];
  return (metadata) => pickTagValues(tags, caller, metadata);
}

function pickTagValues(
  tags: readonly TagRow[],
  caller: Pick<Caller, 'person'>,
  metadata: TagValues | null | undefined,
): TagValues {
  const values: Record<string, string> = {};
  const problems: ErrorDetail[] = [];
  for (const tag of tags) {
    const typed = metadata && Object.hasOwn(metadata, tag.name) ? metadata[tag.name]?.trim() : undefined;
    const value = typed && (tag.values?.find((listed) => isSameValue(listed, typed)) ?? typed);
    const problem = findProblem(tag, value);
    if (problem !== null && caller.person) problems.push({ path: `metadata.${tag.name}`, message: problem });
    if (value && value.length <= MAX_TAG_VALUE_LENGTH) values[tag.name] = value;
  }
  const [first] = problems;
  if (first) throw new ApiError('invalid_request', first.message, { status: 422, details: problems });
  return values;
}

const isSameValue = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

function findProblem({ label, required, values }: TagRow, value: string | undefined): string | null {
  if (!value) return required ? `Choose a value for “${label}”.` : null;
  if (values && !values.includes(value)) return `“${label}” has no value “${value.slice(0, MAX_TAG_VALUE_LENGTH)}”.`;
  return value.length > MAX_TAG_VALUE_LENGTH ? `“${label}” takes at most ${MAX_TAG_VALUE_LENGTH} characters.` : null;
}
