import { and, eq, gte, lt, sql, type SQL } from 'drizzle-orm';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import { formatMoney, formatUsd, parseUsd } from '#contract/money/money.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { createId } from '#server/platform/core/create-id.ts';
import type { Db } from '#server/platform/db/db.ts';
import { providerConnections, textModelCalls } from '#server/platform/db/schema/provider-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { OfferedTextModel, TextResponse } from '#server/models/text/text-model.ts';

export interface TextCallDraft {
  task: TaskId;
  model: AnyModelId | null;
  /** Counts until the cost is known. */
  max_cost_micro_usd: bigint;
}

const DAY_MS = 86_400_000;
const startOfUtcDay = (at: Date): Date => new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS);
const startOfUtcMonth = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth()));

/**
 * Reserves the most that a call can cost, under a lock of the connection, so that concurrent calls cannot exceed the
 * limit of the day together.
 * @returns the id of the call
 * @throws {ApiError} 429 if the limit of the day does not allow it
 */
export async function reserveTextCall(
  { db, clock }: Deps,
  { organization_id, key_id }: Pick<Caller, 'organization_id' | 'key_id'>,
  { connection_id, settings }: OfferedTextModel,
  { task, model, max_cost_micro_usd }: TextCallDraft,
): Promise<string> {
  const now = clock.now();
  const id = createId('txt', now);
  const limit = parseUsd(settings.daily_limit_usd);
  await db.transaction(async (tx) => {
    await tx.select().from(providerConnections).where(eq(providerConnections.id, connection_id)).for('update');
    const day = startOfUtcDay(now);
    const { cost_micro_usd } = await sumTextCalls(tx, eq(textModelCalls.connection_id, connection_id), { from: day });
    if (cost_micro_usd + max_cost_micro_usd > limit)
      throw new ApiError(
        'rate_limit_exceeded',
        `The limit of ${formatMoney(limit)} a day for improving prompts is reached. It starts again at 00:00 UTC.`,
        { retry_after_seconds: (day.getTime() + DAY_MS - now.getTime()) / 1000 },
      );
    await tx.insert(textModelCalls).values({
      id,
      organization_id,
      connection_id,
      created_by: key_id,
      task,
      model,
      text_model: settings.model,
      status: 'unclear',
      cost_micro_usd: max_cost_micro_usd,
      created_at: now,
    });
  });
  return id;
}

/** Records the outcome of a call. Without it, the call counts with the most that it can cost. */
export async function settleTextCall(
  { db, clock }: Deps,
  id: string,
  outcome: {
    status: 'succeeded' | 'failed';
    usage: TextResponse['usage'];
    /** Absent: unknown, so what was reserved stays. */
    cost_micro_usd?: bigint | undefined;
  },
): Promise<void> {
  const { status, usage, cost_micro_usd } = outcome;
  await db
    .update(textModelCalls)
    .set({
      status,
      input_tokens: usage?.input_tokens ?? null,
      output_tokens: usage?.output_tokens ?? null,
      ...(cost_micro_usd === undefined ? {} : { cost_micro_usd }),
      completed_at: clock.now(),
    })
    .where(eq(textModelCalls.id, id));
}

interface TextCallSums {
  count: number;
  cost_micro_usd: bigint;
}

async function sumTextCalls(
  db: Pick<Db, 'select'>,
  scope: SQL,
  { from, to }: { from: Date; to?: Date },
): Promise<TextCallSums> {
  const { created_at, cost_micro_usd } = textModelCalls;
  const [row] = await db
    .select({
      count: sql<number>`count(*)::int`,
      cost: sql<string>`coalesce(sum(${cost_micro_usd}), 0)::text`,
    })
    .from(textModelCalls)
    .where(and(scope, gte(created_at, from), ...(to ? [lt(created_at, to)] : [])));
  return { count: row?.count ?? 0, cost_micro_usd: BigInt(row?.cost ?? 0) };
}

const presentSums = ({ count, cost_micro_usd }: TextCallSums) => ({ count, cost_usd: formatUsd(cost_micro_usd) });

/** What the calls of a connection cost today and this month. */
export async function readTextUsage({ db, clock }: Deps, connectionId: string) {
  const now = clock.now();
  const scope = eq(textModelCalls.connection_id, connectionId);
  return {
    today: presentSums(await sumTextCalls(db, scope, { from: startOfUtcDay(now) })),
    this_month: presentSums(await sumTextCalls(db, scope, { from: startOfUtcMonth(now) })),
  };
}

/** What the calls of an organization cost in `[from, to)`. */
export const readTextCosts = async (db: Db, organizationId: string, period: { from: Date; to: Date }) =>
  presentSums(await sumTextCalls(db, eq(textModelCalls.organization_id, organizationId), period));
