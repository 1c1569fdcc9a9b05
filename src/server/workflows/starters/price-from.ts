import { defaultOf } from '#contract/task.ts';
import { formatUsd } from '#contract/money.ts';
import type { Caller } from '../../caller.ts';
import type { Workflow } from '../definition/workflow.ts';
import { ApiError } from '../../http/api-error.ts';
import { type Estimating, estimateWorkflow } from '../estimate/estimate-workflow.ts';
import { sumOf } from '../estimate/present-estimate.ts';
import type { Budget } from '../expression/expressions.ts';

/** By definition; prices are those of the process. */
const known = new Map<string, string>();
const MOST_KNOWN = 500;

/** What a run costs at least, for the example and the defaults; what they leave open counts with the least. */
export async function priceFrom(
  deps: Estimating,
  caller: Pick<Caller, 'organization_id' | 'key_id'>,
  workflow: Workflow,
  budget: Budget,
): Promise<string> {
  const { definition, contract } = workflow;
  const key = JSON.stringify([caller.organization_id, definition]);
  const there = known.get(key);
  if (there !== undefined) return there;
  const presets = contract.fields.flatMap((field) => {
    const preset = defaultOf(field);
    return preset === undefined ? [] : [[field.name, preset] as const];
  });
  const input = { ...Object.fromEntries(presets), ...definition.example_input };
  const known_input = { input, is_complete: false };
  const estimates = await estimateWorkflow(deps, caller, workflow, known_input, { budget }).catch(unlessUnfit);
  const price = formatUsd(sumOf(estimates).minimum_micro_usd);
  // Without time for its expressions, nothing is known about this one.
  if (budget.left_ms <= 0) return price;
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, price);
  return price;
}

/** An example that is not valid for a step is no reason to hide the starter. */
function unlessUnfit(error: unknown): [] {
  if (error instanceof ApiError && (error.status === 400 || error.status === 422)) return [];
  throw error;
}
