import type { MediaLengths, PricedLineItem } from '#contract/money/estimate.ts';
import { WORKFLOW_LIMITS } from '#contract/workflows/workflow-definition.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { ParsedTemplate, WorkflowStep, Workflow } from '#server/studio/workflows/definition/workflow.ts';
import type { ExpressionBudget } from '#server/studio/workflows/expression/expressions.ts';
import { MAX_ITEMS_MESSAGE, toList, toMaxItems, isTrue } from '#server/studio/workflows/expression/values.ts';
import { mergeLineItems } from './line-items.ts';
import {
  type BudgetedUsage,
  type KnownInput,
  canFill,
  fillKnownTemplates,
  unsuitableInputError,
} from './known-input.ts';
import { longestOf, type PriceBounds, priceBounds } from './price-bounds.ts';

export interface StepEstimate {
  step: WorkflowStep;
  isSkipped: boolean;
  minimum_count: number;
  maximum_count: number;
  minimum_micro_usd: bigint;
  maximum_micro_usd: bigint | null;
  /** Of the maximum, or of the minimum if there is no maximum. */
  line_items: PricedLineItem[];
  note: string | null;
  /** The most that each of its outputs lasts; undefined: not known before the run. */
  longestSeconds?: number | undefined;
}

/** Returns the items of a step that still have to run, or undefined for all of them. */
export type RemainingItems = (step: WorkflowStep) => { indexes: readonly number[] } | undefined;

/** @throws {ApiError} 422 `invalid_request` if the input is not valid for a step */
export async function estimateWorkflow(
  deps: Deps,
  caller: Pick<Caller, 'organization_id' | 'key_id'>,
  workflow: Workflow,
  known: KnownInput,
  {
    remaining = () => undefined,
    budget = estimateBudget(),
  }: { remaining?: RemainingItems; budget?: ExpressionBudget } = {},
): Promise<StepEstimate[]> {
  const estimates: StepEstimate[] = [];
  const names = new Map(workflow.steps.map(({ key, name }) => [key, name]));
  const { organization_id, key_id } = caller;
  const usage = { key_id, budget };
  const longest = new Map<string, number | undefined>();
  for (const step of workflow.steps) {
    const context = { deps, organization_id, step, known, names, usage, longest };
    const estimate = await estimateStep(context, remaining(step)?.indexes);
    longest.set(step.key, estimate.longestSeconds);
    estimates.push(estimate);
  }
  return estimates;
}

export const skippedStepKeys = (estimates: readonly StepEstimate[]): Set<string> =>
  new Set(estimates.filter(({ isSkipped }) => isSkipped).map(({ step }) => step.key));

/** Bounds all expressions of an estimate together; each one has its own limits as well. */
export const estimateBudget = (): ExpressionBudget => ({ remainingMs: 10_000 });

interface EstimateContext {
  deps: Deps;
  organization_id: string;
  step: WorkflowStep;
  known: KnownInput;
  names: ReadonlyMap<string, string>;
  usage: BudgetedUsage;
  /** The most that outputs of earlier steps last, by step. */
  longest: ReadonlyMap<string, number | undefined>;
}

async function estimateStep(context: EstimateContext, indexes: readonly number[] | undefined): Promise<StepEstimate> {
  const { step } = context;
  const condition = indexes ? true : await isConditionMet(context);
  const items = condition === false ? [] : await evaluateItems(context, indexes);
  const least = condition === true && items ? items.length : 0;
  const maxCount = items ? items.length : await maxItems(context);
  const note = countNote(context, condition, items !== null);
  const counts = { step, isSkipped: condition === false, minimum_count: least, maximum_count: maxCount };
  if (maxCount === 0) return { ...counts, minimum_micro_usd: 0n, maximum_micro_usd: 0n, line_items: [], note };
  const prices = items
    ? await priceItems(context, items)
    : Array.from({ length: maxCount }, await sharedPrice(context));
  const sure = prices.slice(0, least);
  const minimumMicroUsd = sure.reduce((sum, { minimum }) => sum + minimum.microUsd, 0n);
  const maximumMicroUsd = prices.reduce<bigint | null>(
    (sum, { maximum }) => (sum === null || maximum === null ? null : sum + maximum.microUsd),
    0n,
  );
  const lineItems = mergeLineItems(
    maximumMicroUsd === null
      ? sure.flatMap(({ minimum }) => minimum.line_items)
      : prices.flatMap(({ maximum }) => maximum?.line_items ?? []),
  );
  const isExact = minimumMicroUsd === maximumMicroUsd;
  return {
    ...counts,
    minimum_micro_usd: minimumMicroUsd,
    maximum_micro_usd: maximumMicroUsd,
    line_items: lineItems,
    note: isExact ? null : (note ?? priceNote(context)),
    longestSeconds: longestOf(prices),
  };
}

/** Returns null if that is known only during the run. */
async function isConditionMet({ deps, step, known, usage }: EstimateContext): Promise<boolean | null> {
  const { when } = step;
  if (when === null) return true;
  if (!canFill(when, known, false)) return null;
  const [value] = await fillKnownTemplates(deps.expressions, [when], buildScope(known), step.name, usage);
  return isTrue(value);
}

interface Item {
  item?: unknown;
  index: number;
}

/** Returns one item per generation, or null if their number is known only during the run. */
async function evaluateItems(context: EstimateContext, indexes: readonly number[] | undefined): Promise<Item[] | null> {
  const { deps, step, known, usage } = context;
  if (indexes) return indexes.map((index) => ({ index }));
  if (step.for_each === null) return [{ index: 0 }];
  if (!canFill(step.for_each, known, false)) return null;
  const [value] = await fillKnownTemplates(deps.expressions, [step.for_each], buildScope(known), step.name, usage);
  return toList(value)
    .slice(0, await maxItems(context))
    .map((item, index) => ({ item, index }));
}

async function maxItems({ deps, step, known, usage }: EstimateContext): Promise<number> {
  const { max_items } = step;
  if (step.for_each === null) return 1;
  if (typeof max_items === 'number') return max_items;
  if (!canFill(max_items, known, false)) return WORKFLOW_LIMITS.items;
  const [value] = await fillKnownTemplates(deps.expressions, [max_items], buildScope(known), step.name, usage);
  const count = toMaxItems(value);
  if (count === null) throw unsuitableInputError(step.name, MAX_ITEMS_MESSAGE);
  return count;
}

const buildScope = ({ input }: KnownInput, more: Item | null = null) => ({ input, steps: {}, ...more });

async function priceItems(context: EstimateContext, items: readonly Item[]): Promise<PriceBounds[]> {
  const isList = context.step.for_each !== null;
  const usesItem = Object.values(context.step.input).some(({ names }) => names.item);
  if (!isList || !usesItem) return Array.from({ length: items.length }, await sharedPrice(context));
  const prices: PriceBounds[] = [];
  for (const item of items) prices.push(await priceItem(context, 'item' in item ? item : null));
  return prices;
}

async function sharedPrice(context: EstimateContext): Promise<() => PriceBounds> {
  const price = await priceItem(context, null);
  return () => price;
}

async function priceItem(context: EstimateContext, item: Item | null): Promise<PriceBounds> {
  const { deps, organization_id, step, known, usage } = context;
  const fields = Object.entries(step.input);
  const fillable = fields.filter(([, template]) => canFill(template, known, item !== null));
  const parts = fillable.map(([, template]) => template);
  const values = await fillKnownTemplates(deps.expressions, parts, buildScope(known, item), step.name, usage);
  const filled = Object.fromEntries(
    fillable.flatMap(([name], index) => (values[index] === undefined ? [] : [[name, values[index]]])),
  );
  const openFields = new Set(fields.filter((field) => !fillable.includes(field)).map(([name]) => name));
  return priceBounds(deps, organization_id, step, filled, openFields, longestMedia(context));
}

/** The most that media last that one earlier step makes. */
function longestMedia({ step, longest }: EstimateContext): MediaLengths {
  const secondsOf = (field: string): number | undefined => {
    const [key, ...others] = step.input[field]?.names.steps ?? [];
    return key === undefined || others.length > 0 ? undefined : longest.get(key);
  };
  const [video, audio] = [secondsOf('video'), secondsOf('audio')];
  return { ...(video !== undefined && { video_seconds: video }), ...(audio !== undefined && { audio_seconds: audio }) };
}

function countNote({ step, names }: EstimateContext, condition: boolean | null, isCounted: boolean): string | null {
  if (condition === null && step.when) return `Whether this step runs is known ${formatDependency(step.when, names)}.`;
  if (!isCounted && step.for_each) return `The number of items is known ${formatDependency(step.for_each, names)}.`;
  return null;
}

function priceNote({ step, names }: EstimateContext): string {
  const needed = Object.values(step.input).find((template) => template.names.steps.size > 0);
  return needed
    ? `The price is known ${formatDependency(needed, names)}.`
    : 'The price depends on the length of the media, which is not known yet.';
}

function formatDependency({ names: { steps } }: ParsedTemplate, names: ReadonlyMap<string, string>): string {
  const [first] = steps;
  return first === undefined ? 'during the run' : `once “${names.get(first) ?? first}” is done`;
}
