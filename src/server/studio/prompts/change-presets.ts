import type { Deps } from '#server/platform/deps.ts';
import { eq } from 'drizzle-orm';
import type { AuditAction } from '#contract/audit-actions.ts';
import type { BodyOf } from '#contract/api/endpoints.ts';
import { MAX_PRESETS } from '#contract/limits.ts';
import type { Preset } from '#contract/resources/preset.ts';
import { recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { createId } from '#server/platform/core/create-id.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { organizations } from '#server/platform/db/schema/organization-schema.ts';
import { presets } from '#server/platform/db/schema/preset-schema.ts';
import { assertMayChange } from '#server/accounts/keys/assert-may-act.ts';
import {
  type IdempotentRequest,
  type StoredResponse,
  withIdempotency,
} from '#server/accounts/idempotency/with-idempotency.ts';
import { readPromptExcerpt, validateForm } from './preset-form.ts';
import { type PresetRow, findPreset, isOwnPreset, presentPreset } from './read-presets.ts';

/** Saves a form. @throws {ApiError} 400 if there are too many; 422 for an invalid field */
export async function createPreset(
  deps: Deps,
  caller: Caller,
  { name, shared, ...form }: BodyOf<'create_preset'>,
  idempotentRequest: IdempotentRequest | undefined,
): Promise<StoredResponse<Preset>> {
  const { organization_id, key_id } = caller;
  const valid = validateForm(deps, caller, form);
  return withIdempotency(deps, idempotentRequest, async (tx) => {
    const now = deps.clock.now();
    await assertRoom(tx, caller);
    const row: PresetRow = {
      id: createId('pst', now),
      organization_id,
      name,
      ...valid,
      prompt: readPromptExcerpt(valid),
      shared,
      created_by: key_id,
      created_at: now,
      updated_at: now,
    };
    await tx.insert(presets).values(row);
    const body = await presentPreset({ ...deps, db: tx }, caller, { preset: row, can_edit: true });
    await recordSharedChange(tx, caller, { after: row, now });
    return { status: 201, body };
  });
}

/** @throws {ApiError} 400 if the person has too many */
async function assertRoom(tx: Tx, caller: Caller): Promise<void> {
  // Serializes saving, so that there are never more.
  await tx.select().from(organizations).where(eq(organizations.id, caller.organization_id)).for('no key update');
  if ((await tx.$count(presets, isOwnPreset(caller))) >= MAX_PRESETS) {
    throw new ApiError('invalid_request', `At most ${MAX_PRESETS} presets can be saved. Delete one first.`);
  }
}

/**
 * Renames, replaces, shares or unshares a preset.
 * @throws {ApiError} 404 `not_found`, also if the caller may not change it; 422 for an invalid field
 */
export async function updatePreset(
  deps: Deps,
  caller: Caller,
  id: string,
  { name, shared, form }: BodyOf<'update_preset'>,
): Promise<Preset> {
  const valid = form && validateForm(deps, caller, form, ['form']);
  return deps.db.transaction(async (tx) => {
    const before = await lockEditable(tx, caller, id);
    const now = deps.clock.now();
    const change = {
      ...(name === undefined ? {} : { name }),
      ...(shared === undefined ? {} : { shared }),
      ...(valid ? { ...valid, prompt: readPromptExcerpt(valid) } : {}),
      updated_at: now,
    };
    await tx.update(presets).set(change).where(eq(presets.id, id));
    const after = { ...before, ...change };
    // An administrator who unshares a preset of somebody else sees it here for the last time.
    const preset = await presentPreset({ ...deps, db: tx }, caller, { preset: after, can_edit: true });
    await recordSharedChange(tx, caller, { before, after, now });
    return preset;
  });
}

/** @throws {ApiError} 404 `not_found`, also if the caller may not change it */
export async function deletePreset({ db, clock }: Deps, caller: Caller, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const before = await lockEditable(tx, caller, id);
    await tx.delete(presets).where(eq(presets.id, id));
    await recordSharedChange(tx, caller, { before, now: clock.now() });
  });
}

async function lockEditable(tx: Tx, caller: Caller, id: string): Promise<PresetRow> {
  await tx.select({ id: presets.id }).from(presets).where(eq(presets.id, id)).for('update');
  const { preset, can_edit } = await findPreset(tx, caller, id);
  if (!can_edit) throw new ApiError('not_found', 'This preset belongs to somebody else.');
  assertMayChange(caller, preset);
  return preset;
}

interface SharedChange {
  before?: PresetRow;
  after?: PresetRow;
  now: Date;
}

/** The log has changes of what others see, and nothing of private presets. */
async function recordSharedChange(tx: Tx, caller: Caller, { before, after, now }: SharedChange): Promise<void> {
  const row = after ?? before;
  if (!row || !(before?.shared || after?.shared)) return;
  const target = { type: 'preset', id: row.id, name: row.name };
  const fields = (of: PresetRow | undefined) =>
    of && { name: of.name, task: of.task, model: of.model, prompt: of.prompt, shared: of.shared };
  const change = { action: actionOf(before, after), target, before: fields(before), after: fields(after) };
  await recordAuditEvent(tx, caller, change, now);
}

function actionOf(before: PresetRow | undefined, after: PresetRow | undefined): AuditAction {
  if (!after) return 'preset.deleted';
  if (!before?.shared) return 'preset.shared';
  return after.shared ? 'preset.changed' : 'preset.unshared';
}
