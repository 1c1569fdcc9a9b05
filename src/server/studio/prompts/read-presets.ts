import { type SQL, and, desc, eq, getTableColumns, lt, or, sql } from 'drizzle-orm';
import type { QueryOf } from '#contract/api/endpoints.ts';
import type { List } from '#contract/primitives.ts';
import type { Preset, PresetSummary } from '#contract/resources/preset.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { parsePageCursor, presentPage } from '#server/platform/core/list-page.ts';
import { presets } from '#server/platform/db/schema/preset-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { readCreators } from '#server/accounts/keys/read-creators.ts';
import { renewMedia } from './preset-form.ts';

export type PresetRow = typeof presets.$inferSelect;

const { input: _input, ...listedColumns } = getTableColumns(presets);

/** Presets that the caller saved, with any of a person's keys. */
export const isOwnPreset = ({ key_id, person }: Pick<Caller, 'key_id' | 'person'>): SQL =>
  person
    ? sql`${presets.created_by} = any(array(select id from api_keys where person_id = ${person.id}))`
    : eq(presets.created_by, key_id);

const isVisible = (caller: Caller): SQL | undefined =>
  and(eq(presets.organization_id, caller.organization_id), or(isOwnPreset(caller), eq(presets.shared, true)));

/** Matches presets that the caller may change: their own, and shared ones with `settings.manage`. */
const isEditable = (caller: Caller): SQL<boolean> =>
  caller.permissions.has('settings.manage')
    ? sql<boolean>`(${presets.shared} or ${isOwnPreset(caller)})`
    : sql<boolean>`(${isOwnPreset(caller)})`;

/** Lists the caller's presets and the shared ones, newest first. Decision: Presets */
export async function listPresets(
  deps: Deps,
  caller: Caller,
  { limit, cursor, task }: QueryOf<'list_presets'>,
): Promise<List<PresetSummary>> {
  const scope = { organization_id: caller.organization_id, list: 'presets' } as const;
  const after = parsePageCursor(deps.secrets, scope, cursor);
  const rows = await deps.db
    .select({ preset: listedColumns, can_edit: isEditable(caller) })
    .from(presets)
    .where(
      and(isVisible(caller), task && eq(presets.task, task), after === undefined ? undefined : lt(presets.id, after)),
    )
    .orderBy(desc(presets.id))
    .limit(limit + 1);
  const creatorOf = await readCreators(
    deps,
    rows.map(({ preset }) => preset.created_by),
  );
  return presentPage(deps.secrets, scope, {
    rows,
    limit,
    position: ({ preset }) => preset.id,
    present: (page) =>
      page.map(({ preset, can_edit }) => ({
        ...presentFields(preset, can_edit, creatorOf(preset.created_by)),
        prompt: preset.prompt,
      })),
  });
}

/**
 * Finds a preset that the caller sees.
 * @throws {ApiError} 404 `not_found`, also for one of somebody else that is not shared
 */
export async function findPreset(db: Pick<Deps['db'], 'select'>, caller: Caller, id: string) {
  const [found] = await db
    .select({ preset: presets, can_edit: isEditable(caller) })
    .from(presets)
    .where(and(eq(presets.id, id), isVisible(caller)));
  if (!found) throw new ApiError('not_found', 'Preset not found.');
  return found;
}

/** @throws {ApiError} 404 `not_found` */
export async function readPreset(deps: Deps, caller: Caller, id: string): Promise<Preset> {
  return presentPreset(deps, caller, await findPreset(deps.db, caller, id));
}

export async function presentPreset(
  deps: Deps,
  caller: Caller,
  { preset, can_edit }: { preset: PresetRow; can_edit: boolean },
): Promise<Preset> {
  const creatorOf = await readCreators(deps, [preset.created_by]);
  return {
    ...presentFields(preset, can_edit, creatorOf(preset.created_by)),
    ...(await renewMedia(deps, caller, preset)),
  };
}

const presentFields = (
  row: Omit<PresetRow, 'input'>,
  canEdit: boolean,
  createdBy: PresetSummary['created_by'],
): Omit<PresetSummary, 'prompt'> => ({
  id: row.id,
  object: 'preset',
  name: row.name,
  task: row.task,
  model: row.model,
  shared: row.shared,
  can_edit: canEdit,
  created_by: createdBy,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
