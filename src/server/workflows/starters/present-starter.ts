import { MODEL_NAMES, TASKS } from '#contract/catalog.ts';
import type { WorkflowStarter } from '#contract/resources/workflow-starter.ts';
import type { MediaKind } from '#contract/task.ts';
import type { Caller } from '../../caller.ts';
import type { Deps } from '../../deps.ts';
import { isOffered, missingTools } from '../../generations/availability.ts';
import type { Step, Workflow } from '../definition/workflow.ts';
import { type Estimating, estimateBudget } from '../estimate/estimate-workflow.ts';
import type { Budget } from '../expression/expressions.ts';
import type { Starter } from './find-starter.ts';
import { presentInputSchema } from './present-input.ts';
import { priceFrom } from './price-from.ts';

export type PresentingStarters = Estimating & Pick<Deps, 'engines' | 'off' | 'media'>;

/**
 * A starter as it goes over the wire.
 * @param options.whole with its definition
 * @param options.budget of the expressions that decide its price; shared by the starters of a list
 */
export async function presentStarter(
  deps: PresentingStarters,
  caller: Pick<Caller, 'organization_id' | 'key_id'>,
  { source, workflow, saved }: Starter,
  { whole, budget = estimateBudget() }: { whole: boolean; budget?: Budget },
): Promise<WorkflowStarter> {
  const { definition, steps } = workflow;
  const reason = unavailableReason(deps, steps);
  return {
    object: 'workflow_starter',
    slug: definition.slug,
    name: definition.name,
    description: definition.description,
    input_schema: presentInputSchema(definition.input_schema),
    steps: steps.map(({ key, name, task, model, needs, when, for_each }) => ({
      key,
      name,
      task,
      model,
      needs: [...needs],
      is_optional: when !== null,
      is_list: for_each !== null,
    })),
    source,
    makes: kindsOf(workflow),
    price_from_usd: await priceFrom(deps, caller, workflow, budget),
    example_input: definition.example_input ?? null,
    available: reason === null,
    unavailable_reason: reason,
    ...(whole ? { definition } : {}),
    created_by: saved?.by ?? null,
    created_at: saved?.created_at.toISOString() ?? null,
    updated_at: saved?.updated_at.toISOString() ?? null,
  };
}

/** What a run gives in the end. */
function kindsOf({ steps, gives }: Workflow): MediaKind[] {
  const given = steps.filter(({ key, task }) => gives.has(key) && TASKS[task].output.max_assets !== 0);
  return [...new Set(given.map(({ task }) => TASKS[task].media_type))];
}

function unavailableReason(deps: Pick<Deps, 'engines' | 'off' | 'media'>, steps: readonly Step[]): string | null {
  const off = steps.find(({ task, model, when }) => when === null && !isOffered(deps, task, model));
  if (!off) return null;
  const missing = missingTools(deps, off.task);
  if (missing !== null) return missing;
  return `“${off.name}” needs ${off.model === null ? `“${TASKS[off.task].name}”` : MODEL_NAMES[off.model]}, which is switched off here.`;
}
