import { TASKS } from '#contract/catalog.ts';
import { modelName } from '#contract/model-catalog.ts';
import type { PriceBook } from '#contract/money/pricing.ts';
import type { WorkflowStarter } from '#contract/resources/workflow-starter.ts';
import { type MediaKind, fieldDefault } from '#contract/task.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import type { Deps } from '#server/platform/deps.ts';
import { isTaskModelAvailable, missingToolsMessage } from '#server/models/catalog/availability.ts';
import type { WorkflowStep, Workflow } from '#server/studio/workflows/definition/workflow.ts';
import { estimateBudget, estimateWorkflow } from '#server/studio/workflows/estimate/estimate-workflow.ts';
import type { ExpressionBudget } from '#server/studio/workflows/expression/expressions.ts';
import type { RunnableStarter } from './find-starter.ts';
import { formatUsd } from '#contract/money/money.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { sumBounds } from '#server/studio/workflows/estimate/present-estimate.ts';

type Json = Readonly<Record<string, unknown>>;

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

const LINK_SCHEMA = {
  properties: { url: { type: 'string', format: 'uri', minLength: 1 } },
  required: ['url'],
  additionalProperties: false,
} as const;

/** Writes an input schema in plain JSON Schema, with the defaults of our own keywords spelled out. */
function presentInputSchema(schema: Json): Json {
  const { properties } = schema;
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...schema,
    properties: isJson(properties)
      ? Object.fromEntries(
          Object.entries(properties).map(([name, property]) => [
            name,
            expandProperty(property, required.includes(name)),
          ]),
        )
      : {},
    required,
    additionalProperties: false,
  };
}

function expandProperty(property: unknown, required: boolean): unknown {
  if (!isJson(property)) return property;
  if ('x-media' in property) return { ...property, ...LINK_SCHEMA, type: required ? 'object' : ['object', 'null'] };
  const { items } = property;
  return isJson(items) && 'x-media' in items
    ? { ...property, items: { ...items, ...LINK_SCHEMA, type: 'object' } }
    : property;
}

/** @param options.budget for the expressions that decide its price; shared by the starters of a list */
export async function presentStarter(
  deps: Deps,
  caller: Pick<Caller, 'organization_id' | 'key_id'>,
  { source, workflow, saved }: RunnableStarter,
  { whole: with_definition, budget = estimateBudget() }: { whole: boolean; budget?: ExpressionBudget },
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
    makes: resultKinds(workflow),
    price_from_usd: await startingPrice(deps, caller, workflow, budget),
    example_input: definition.example_input ?? null,
    available: reason === null,
    unavailable_reason: reason,
    ...(with_definition ? { definition } : {}),
    created_by: saved?.by ?? null,
    created_at: saved?.created_at.toISOString() ?? null,
    updated_at: saved?.updated_at.toISOString() ?? null,
  };
}

function resultKinds({ steps, result_steps }: Workflow): MediaKind[] {
  const fileSteps = steps.filter(({ key, task }) => result_steps.has(key) && TASKS[task].output.max_assets !== 0);
  return [...new Set(fileSteps.map(({ task }) => TASKS[task].media_type))];
}

function unavailableReason(deps: Deps, steps: readonly WorkflowStep[]): string | null {
  const off = steps.find(({ task, model, when }) => when === null && !isTaskModelAvailable(deps, task, model));
  if (!off) return null;
  const missing = missingToolsMessage(deps, off.task);
  if (missing !== null) return missing;
  return `“${off.name}” needs ${off.model === null ? `“${TASKS[off.task].name}”` : modelName(deps.offering.current(), off.model)}, which is disabled on this service.`;
}

/** By price book and definition. */
const priceCaches = new WeakMap<PriceBook, Map<string, string>>();
const MAX_CACHED = 500;

async function startingPrice(
  deps: Deps,
  caller: Pick<Caller, 'organization_id' | 'key_id'>,
  workflow: Workflow,
  budget: ExpressionBudget,
): Promise<string> {
  const { definition, contract } = workflow;
  const key = JSON.stringify([caller.organization_id, definition]);
  const { prices } = deps.offering.current();
  const priceCache = priceCaches.get(prices) ?? new Map<string, string>();
  priceCaches.set(prices, priceCache);
  const cached = priceCache.get(key);
  if (cached !== undefined) return cached;
  const presets = contract.fields.flatMap((field) => {
    const preset = fieldDefault(field);
    return preset === undefined ? [] : [[field.name, preset] as const];
  });
  const input = { ...Object.fromEntries(presets), ...definition.example_input };
  const knownInput = { input, is_complete: false };
  const estimates = await estimateWorkflow(deps, caller, workflow, knownInput, { budget }).catch(ignoreInvalidExample);
  const price = formatUsd(sumBounds(estimates).minimum_micro_usd);
  // Without time left for its expressions, nothing is known about this one.
  if (budget.remainingMs <= 0) return price;
  if (priceCache.size >= MAX_CACHED) priceCache.clear();
  priceCache.set(key, price);
  return price;
}

/** A starter stays listed if its example is not valid for a step. */
function ignoreInvalidExample(error: unknown): [] {
  if (error instanceof ApiError && (error.status === 400 || error.status === 422)) return [];
  throw error;
}
