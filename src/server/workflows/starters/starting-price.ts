import { fieldDefault } from '#contract/task.ts';
import { formatUsd } from '#contract/money.ts';
import type { Caller } from '#server/core/caller.ts';
import type { Workflow } from '../definition/workflow.ts';
import { ApiError } from '#server/core/api-error.ts';
import { type EstimateDeps, estimateWorkflow } from '../estimate/estimate-workflow.ts';
import { sumBounds } from '../estimate/present-estimate.ts';
import type { ExpressionBudget } from '../expression/expressions.ts';

/** By definition. Prices are fixed while the process runs. */
const price_cache = new Map<string, string>();
const MAX_CACHED = 500;

/** Returns the least that a run of the example costs. */
export async function startingPrice(
  deps: EstimateDeps,
  caller: Pick<Caller, 'organization_id' | 'key_id'>,
  workflow: Workflow,
  budget: ExpressionBudget,
): Promise<string> {
  const { definition, contract } = workflow;
  const key = JSON.stringify([caller.organization_id, definition]);
  const cached = price_cache.get(key);
  if (cached !== undefined) return cached;
  const presets = contract.fields.flatMap((field) => {
    const preset = fieldDefault(field);
    return preset === undefined ? [] : [[field.name, preset] as const];
  });
  const input = { ...Object.fromEntries(presets), ...definition.example_input };
  const known_input = { input, is_complete: false };
  const estimates = await estimateWorkflow(deps, caller, workflow, known_input, { budget }).catch(ignoreInvalidExample);
  const price = formatUsd(sumBounds(estimates).minimum_micro_usd);
  // Without time left for its expressions, nothing is known about this one.
  if (budget.remaining_ms <= 0) return price;
  if (price_cache.size >= MAX_CACHED) price_cache.clear();
  price_cache.set(key, price);
  return price;
}

/** A starter stays listed if its example is not valid for a step. */
function ignoreInvalidExample(error: unknown): [] {
  if (error instanceof ApiError && (error.status === 400 || error.status === 422)) return [];
  throw error;
}
