import { inArray, sql } from 'drizzle-orm';
import type { PricedLineItem } from '#contract/money/estimate.ts';
import { formatUsd, parseUsd } from '#contract/money/money.ts';
import { ledgerEntries } from '#server/platform/db/schema/billing-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { GenerationRow } from '#server/studio/generations/read/generation-row.ts';
import { mergeLineItems, singleLineItem } from '#server/studio/workflows/estimate/line-items.ts';

type RunCosts = ReadonlyMap<string, ReadonlyMap<string, bigint>>;

export async function readRunCosts(
  { db }: { db: Pick<Deps['db'], 'select'> },
  runIds: readonly string[],
): Promise<RunCosts> {
  const costs = new Map<string, Map<string, bigint>>(runIds.map((id) => [id, new Map()]));
  if (runIds.length === 0) return costs;
  const { workflow_run_id: run_id, generation_id, amount_micro_usd } = ledgerEntries;
  const rows = await db
    .select({ run_id, generation_id, cost: sql<string>`(-sum(${amount_micro_usd}))::text` })
    .from(ledgerEntries)
    .where(inArray(run_id, [...runIds]))
    .groupBy(run_id, generation_id);
  for (const row of rows) {
    if (row.run_id !== null && row.generation_id !== null)
      costs.get(row.run_id)?.set(row.generation_id, BigInt(row.cost));
  }
  return costs;
}

export function costLineItems(
  costs: ReadonlyMap<string, bigint>,
  stepGenerations: readonly { step_name: string; generation: GenerationRow }[],
): PricedLineItem[] {
  const lines = stepGenerations.flatMap(({ step_name, generation }): PricedLineItem[] => {
    const cost = costs.get(generation.id) ?? 0n;
    if (cost === 0n) return [];
    const charged = generation.line_items.map((line) => ({
      ...line,
      description: `${step_name} · ${line.description}`,
    }));
    const linesSum = charged.reduce((sum, { amount_usd }) => sum + parseUsd(amount_usd), 0n);
    return linesSum === cost ? charged : [...charged, singleLineItem(`${step_name} · Refund`, cost - linesSum)];
  });
  return mergeLineItems(lines);
}

export const sumCosts = (costs: ReadonlyMap<string, bigint>): string =>
  formatUsd([...costs.values()].reduce((sum, cost) => sum + cost, 0n));
