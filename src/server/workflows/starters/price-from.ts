import { defaultOf } from '#contract/task.ts';
import { formatUsd } from '#contract/money.ts';
import type { Workflow } from '../definition/workflow.ts';
import { type Estimating, estimateWorkflow } from '../estimate/estimate-workflow.ts';
import { sumOf } from '../estimate/present-estimate.ts';

/** By definition; prices are those of the process. */
const known = new Map<string, string>();
const MOST_KNOWN = 500;

/** What a run costs at least, for the example and the defaults; what they leave open counts with the least. */
export async function priceFrom(deps: Estimating, organization_id: string, workflow: Workflow): Promise<string> {
  const { definition, contract } = workflow;
  const key = JSON.stringify([organization_id, definition]);
  const there = known.get(key);
  if (there !== undefined) return there;
  const presets = contract.fields.flatMap((field) => {
    const preset = defaultOf(field);
    return preset === undefined ? [] : [[field.name, preset] as const];
  });
  const input = { ...Object.fromEntries(presets), ...definition.example_input };
  // An example that does not do for a step is no reason to hide the starter.
  const estimates = await estimateWorkflow(deps, organization_id, workflow, { input, is_complete: false }).catch(
    () => [],
  );
  const price = formatUsd(sumOf(estimates).minimum_micro_usd);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, price);
  return price;
}
