import { and, desc, eq, inArray } from 'drizzle-orm';
import { formatUsd } from '#contract/money/money.ts';
import type { AddedModel } from '#contract/resources/added-model.ts';
import type { Generation } from '#contract/resources/generation.ts';
import type { IdempotentRequest, StoredResponse } from '#server/accounts/idempotency/with-idempotency.ts';
import { assertInScope } from '#server/accounts/keys/assert-in-scope.ts';
import { validateRequest } from '#server/models/catalog/validate-request.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { ownMediaOrigin } from '#server/platform/core/settings/config.ts';
import { addedModels } from '#server/platform/db/schema/added-model-schema.ts';
import { ledgerEntries } from '#server/platform/db/schema/billing-schema.ts';
import { generations, upstreamJobs } from '#server/platform/db/schema/schema.ts';
import type { Tx } from '#server/platform/db/db.ts';
import type { Deps } from '#server/platform/deps.ts';
import { writeOnce } from './create/create-generation.ts';
import { planGeneration } from './create/plan-generation.ts';
import { priceRequest } from './create/price-request.ts';

const MAX_TESTS = 5;
const TEST_IDS = { ids: addedModels.test_ids };

/**
 * Orders one run of an added model, a draft too, at its price. It is charged like any order, and needs no tags.
 * @throws {ApiError} like `createGeneration`
 */
export async function testAddedModel(
  deps: Deps,
  caller: Caller,
  { id, task }: Pick<AddedModel, 'id' | 'task'>,
  input: Record<string, unknown>,
  idempotentRequest: IdempotentRequest | undefined,
  signal: AbortSignal,
): Promise<StoredResponse<Generation>> {
  await deps.offering.refresh();
  const order = validateRequest(deps, ownMediaOrigin(deps.config), caller, { task, model: id, input });
  assertInScope(caller, order);
  // The metadata is for people; what counts as a test is recorded on the model, where no order writes.
  const metadata = { model_test: id };
  const price = await priceRequest(deps, caller.organization_id, order, signal);
  const plan = planGeneration(deps, caller, { order, price, metadata, tags: {}, is_test: true });
  const record = async (tx: Tx): Promise<void> => {
    const [tested] = await tx.select(TEST_IDS).from(addedModels).where(eq(addedModels.id, id)).for('update');
    const testIds = [plan.row.id, ...(tested?.ids ?? [])].slice(0, MAX_TESTS);
    await tx.update(addedModels).set({ test_ids: testIds }).where(eq(addedModels.id, id));
  };
  return writeOnce(deps, caller, plan, { idempotentRequest, record });
}

/** The newest tests of a model, with what they were estimated, charged and cost. */
export async function listModelTests(
  { db }: Deps,
  organizationId: string,
  model: AddedModel['id'],
): Promise<AddedModel['tests']> {
  const [tested] = await db.select(TEST_IDS).from(addedModels).where(eq(addedModels.id, model));
  const ids = [...(tested?.ids ?? [])];
  if (ids.length === 0) return [];
  const rows = await db
    .select({ generation: generations, cost: upstreamJobs.cost_micro_usd })
    .from(generations)
    .leftJoin(upstreamJobs, eq(upstreamJobs.generation_id, generations.id))
    .where(and(eq(generations.organization_id, organizationId), inArray(generations.id, ids)))
    .orderBy(desc(generations.created_at), desc(generations.id));
  const reserved = await db
    .select({ id: ledgerEntries.generation_id, amount: ledgerEntries.amount_micro_usd })
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.type, 'RESERVE'), inArray(ledgerEntries.generation_id, ids)));
  return rows.map(
    ({ generation: { id, status, billing_status, amount_micro_usd, started_at, completed_at }, cost }) => ({
      generation_id: id,
      status,
      estimate_usd: formatUsd(-(reserved.find((entry) => entry.id === id)?.amount ?? 0n)),
      charge_usd: formatUsd(billing_status === 'settled' ? amount_micro_usd : 0n),
      cost_usd: cost === null ? null : formatUsd(cost),
      seconds: started_at && completed_at ? (completed_at.getTime() - started_at.getTime()) / 1000 : null,
    }),
  );
}
