import { and, eq, isNull, lte, ne, or } from 'drizzle-orm';
import { isDeepStrictEqual } from 'node:util';
import { diffModels } from '#contract/added-models/diff-models.ts';
import { SchemaError } from '#contract/added-models/schema-error.ts';
import type { PublishedPrice } from '#contract/added-models/prices/suggest-price.ts';
import { dollarsToMicroUsd, formatMoney } from '#contract/money/money.ts';
import { serviceActor } from '#server/accounts/audit/record-audit-event.ts';
import { ModelNotFoundError } from '#server/models/engine/upstream-errors.ts';
import { addedModels, type ModelDrift } from '#server/platform/db/schema/added-model-schema.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { providerConnections } from '#server/platform/db/schema/provider-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { JobData } from '#server/platform/jobs/jobs.ts';
import { findPreset } from '#server/models/providers/presets.ts';
import { readModel } from './inspect-model.ts';
import { currentOf, findAddedModelRow, sourceOf, type StoredModel, type VersionRow } from './added-model-rows.ts';
import { recordModelEvent } from './record-model-event.ts';

const CHECK_EVERY_MS = 24 * 3_600_000;
/** Also after a check that a process did not finish. */
const RETRY_AFTER_MS = 3_600_000;
/** Over which due checks are spread. */
const SPREAD_MS = 30 * 60_000;

const isDue = (now: Date) =>
  and(
    ne(addedModels.state, 'removed'),
    or(isNull(addedModels.checked_at), lte(addedModels.checked_at, new Date(now.getTime() - CHECK_EVERY_MS))),
  );

/** Enqueues checks of the models that were not compared with their provider for a day. */
export async function enqueueDueChecks({ db, clock, queue }: Deps, spreadMs = SPREAD_MS): Promise<void> {
  const due = await db
    .select({ id: addedModels.id, organization_id: addedModels.organization_id, group: addedModels.connection_id })
    .from(addedModels)
    .innerJoin(providerConnections, eq(providerConnections.id, addedModels.connection_id))
    .where(and(isDue(clock.now()), isNull(providerConnections.disconnected_at)));
  if (due.length === 0) return;
  await db.transaction(async (tx) => {
    for (const { id: model_id, organization_id, group } of due)
      await queue.send(
        tx,
        'models.check',
        { organization_id, model_id },
        { key: model_id, group, startAfter: new Date(Date.now() + Math.random() * spreadMs) },
      );
  });
}

/**
 * Compares a model with what its provider has now. What changed is stored; a published model whose form no longer fits
 * is paused. Nothing happens if another process checks it, or the provider does not respond: then it is due again in an
 * hour. Decision: Added models
 */
export async function checkDrift(
  deps: Deps,
  { organization_id, model_id }: JobData['models.check'],
  signal: AbortSignal,
): Promise<void> {
  const now = deps.clock.now();
  const dueAgain = new Date(now.getTime() - CHECK_EVERY_MS + RETRY_AFTER_MS);
  const [claimed] = await deps.db
    .update(addedModels)
    .set({ checked_at: dueAgain })
    .where(and(eq(addedModels.id, model_id), eq(addedModels.organization_id, organization_id), isDue(now)))
    .returning({ id: addedModels.id });
  if (!claimed) return;
  const stored = await findAddedModelRow(deps.db, organization_id, model_id);
  try {
    const found = await findChanges(deps, stored, signal);
    if (await deps.db.transaction((tx) => storeChanges(tx, stored, found, now))) await deps.offering.refresh();
  } catch (error) {
    signal.throwIfAborted();
    deps.log.warn({ err: error, model: model_id }, 'the model could not be compared with its provider');
  }
}

interface Found extends Omit<ModelDrift, 'found_at'> {
  /** A sentence; null: new orders still work. */
  pause_reason: string | null;
}
type Change = ModelDrift['changes'][number];

const inform = (text: string): Change => ({ text, breaks: false });

/** @throws {ApiError} if the provider can't be asked */
async function findChanges(deps: Deps, stored: StoredModel, signal: AbortSignal): Promise<Found> {
  const current = currentOf(stored);
  const name = findPreset(stored.model.provider)?.name ?? stored.model.provider;
  try {
    const { snapshot, normalized } = await readModel(deps, sourceOf(stored), signal, {
      known: current.normalized,
    });
    const { provider_version } = current;
    // The pinned version runs the old form for as long as it exists, whatever a newer one takes.
    const isPinned = provider_version !== null && provider_version !== snapshot.provider_version;
    if (isPinned) await readModel(deps, sourceOf(stored), signal, { provider_version });
    const changes = [
      ...diffModels(current, { normalized }).map(({ message, breaks }) => ({
        text: message,
        breaks: breaks && !isPinned,
      })),
      ...diffPublishedPrices(current, snapshot.published_price),
      ...(snapshot.is_deprecated ? [inform(`${name} marks this model as deprecated.`)] : []),
    ];
    const breaking = changes.find(({ breaks }) => breaks);
    return {
      hash: normalized.hash,
      changes,
      pause_reason: breaking ? `The form no longer fits: ${breaking.text}` : null,
    };
  } catch (error) {
    const cause = error instanceof Error ? error.cause : null;
    const { hash } = current.normalized;
    if (cause instanceof ModelNotFoundError) {
      const text = firstSentence(cause.message);
      return { hash, changes: [{ text, breaks: true }], pause_reason: text };
    }
    if (cause instanceof SchemaError)
      return {
        hash,
        changes: [inform(`The provider’s new schema can’t be read: ${cause.message}`)],
        pause_reason: null,
      };
    throw error;
  }
}

/** Without the advice for those who enter a name. */
const firstSentence = (text: string): string => /^.*?\.(?= \p{Lu}|$)/su.exec(text)?.[0] ?? text;

function describePrice({ unit_price, unit }: PublishedPrice): string {
  const amount = dollarsToMicroUsd(unit_price);
  return `${amount === null ? `${unit_price} dollars` : formatMoney(amount)} (${unit})`;
}

/** Compares with what the provider published when the version was made, not with the administrator's price. */
function diffPublishedPrices({ published_price: before }: VersionRow, after: PublishedPrice | null): Change[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (after === null) return [inform('The provider no longer publishes a price.')];
  const then = before === null ? '' : ` instead of ${describePrice(before)}`;
  return [inform(`The provider’s price is ${describePrice(after)}${then}.`)];
}

/** @returns whether the model was paused */
async function storeChanges(tx: Tx, { model: seen }: StoredModel, found: Found, now: Date): Promise<boolean> {
  const [model] = await tx.select().from(addedModels).where(eq(addedModels.id, seen.id)).for('update');
  // An administrator replaced what was compared.
  if (!model || model.state === 'removed' || model.version !== seen.version) return false;
  const { hash, changes, pause_reason } = found;
  // A model that an administrator published in spite of a change stays published.
  const isKnown = model.drift ? isDeepStrictEqual(model.drift.changes, changes) : changes.length === 0;
  const pausedReason = isKnown || model.state !== 'published' ? null : pause_reason;
  await tx
    .update(addedModels)
    .set({
      checked_at: now,
      ...(isKnown ? {} : { drift: changes.length === 0 ? null : { found_at: now.toISOString(), hash, changes } }),
      ...(pausedReason === null ? {} : { state: 'paused', paused_reason: pausedReason, updated_at: now }),
    })
    .where(eq(addedModels.id, model.id));
  if (pausedReason === null) return false;
  const change = { action: 'added_model.paused', after: { reason: pausedReason } } as const;
  await recordModelEvent(tx, serviceActor(model.organization_id), model, change, now);
  return true;
}
