import type { LineItem } from '#contract/estimate.ts';
import { WORKFLOW_LIMITS } from '#contract/workflow-definition.ts';
import type { Caller } from '../../caller.ts';
import type { Deps } from '../../deps.ts';
import type { Part, Step, Workflow } from '../definition/workflow.ts';
import type { Budget } from '../expression/expressions.ts';
import { MAX_ITEMS_MESSAGE, asList, asMaxItems, isTrue } from '../expression/values.ts';
import { mergeLines } from './add-lines.ts';
import { type BudgetedUsage, type KnownInput, canFill, fillKnown, unfit } from './known.ts';
import { type Bounding, type PriceBounds, priceBounds } from './price-bounds.ts';

export type Estimating = Bounding & Pick<Deps, 'expressions'>;

/** What a step of a run costs, before it starts. */
export interface StepEstimate {
  step: Step;
  /** It is known before the run that its condition does not hold. */
  is_skipped: boolean;
  minimum_count: number;
  maximum_count: number;
  minimum_micro_usd: bigint;
  /** null: there is no saying. */
  maximum_micro_usd: bigint | null;
  /** Of the maximum where there is one, else of the minimum. */
  line_items: LineItem[];
  note: string | null;
}

/** What of a step is still to be made, by its items; undefined: all of it. For a run that tries another again. */
export type StillToMake = (step: Step) => { indexes: readonly number[] } | undefined;

/**
 * What a run costs, step by step, as far as its input tells: of what comes out of a step nothing is known yet.
 * @throws {ApiError} 422 `invalid_request` where the input does not do for a step
 */
export async function estimateWorkflow(
  deps: Estimating,
  caller: Pick<Caller, 'organization_id' | 'key_id'>,
  workflow: Workflow,
  known: KnownInput,
  { left = () => undefined, budget = estimateBudget() }: { left?: StillToMake; budget?: Budget } = {},
): Promise<StepEstimate[]> {
  const estimates: StepEstimate[] = [];
  const names = new Map(workflow.steps.map(({ key, name }) => [key, name]));
  const { organization_id, key_id } = caller;
  const usage = { key_id, budget };
  for (const step of workflow.steps) {
    estimates.push(await estimateStep({ deps, organization_id, step, known, names, usage }, left(step)?.indexes));
  }
  return estimates;
}

export const skippedOf = (estimates: readonly StepEstimate[]): Set<string> =>
  new Set(estimates.filter(({ is_skipped }) => is_skipped).map(({ step }) => step.key));

/** Each expression has its bounds; this is for all of them together. */
export const estimateBudget = (): Budget => ({ left_ms: 10_000 });

interface Case {
  deps: Estimating;
  organization_id: string;
  step: Step;
  known: KnownInput;
  /** Names of steps by their keys. */
  names: ReadonlyMap<string, string>;
  /** Of all steps together. */
  usage: BudgetedUsage;
}

async function estimateStep(one: Case, indexes: readonly number[] | undefined): Promise<StepEstimate> {
  const { step } = one;
  const wanted = indexes ? true : await isWanted(one);
  const items = wanted === false ? [] : await itemsOf(one, indexes);
  const least = wanted === true && items ? items.length : 0;
  const most = items ? items.length : await maxItems(one);
  const note = noteOf(one, wanted, items !== null);
  const counts = { step, is_skipped: wanted === false, minimum_count: least, maximum_count: most };
  if (most === 0) return { ...counts, minimum_micro_usd: 0n, maximum_micro_usd: 0n, line_items: [], note };
  const prices = items ? await pricesOf(one, items) : Array.from({ length: most }, await samePrice(one));
  const sure = prices.slice(0, least);
  const minimum_micro_usd = sure.reduce((sum, { least }) => sum + least.micro_usd, 0n);
  const maximum_micro_usd = prices.reduce<bigint | null>(
    (sum, { most }) => (sum === null || most === null ? null : sum + most.micro_usd),
    0n,
  );
  const line_items = mergeLines(
    maximum_micro_usd === null
      ? sure.flatMap(({ least }) => least.line_items)
      : prices.flatMap(({ most }) => most?.line_items ?? []),
  );
  const isExact = minimum_micro_usd === maximum_micro_usd;
  return {
    ...counts,
    minimum_micro_usd,
    maximum_micro_usd,
    line_items,
    note: isExact ? null : (note ?? priceNote(one)),
  };
}

/** null: that is known later. */
async function isWanted({ deps, step, known, usage }: Case): Promise<boolean | null> {
  const { when } = step;
  if (when === null) return true;
  if (!canFill(when, known, false)) return null;
  const [value] = await fillKnown(deps.expressions, [when], scopeOf(known), step.name, usage);
  return isTrue(value);
}

interface Item {
  item?: unknown;
  index: number;
}

/** One for each generation; null: how many there are is known later. */
async function itemsOf(one: Case, indexes: readonly number[] | undefined): Promise<Item[] | null> {
  const { deps, step, known, usage } = one;
  if (indexes) return indexes.map((index) => ({ index }));
  if (step.for_each === null) return [{ index: 0 }];
  if (!canFill(step.for_each, known, false)) return null;
  const [value] = await fillKnown(deps.expressions, [step.for_each], scopeOf(known), step.name, usage);
  return asList(value)
    .slice(0, await maxItems(one))
    .map((item, index) => ({ item, index }));
}

async function maxItems({ deps, step, known, usage }: Case): Promise<number> {
  const { max_items } = step;
  if (step.for_each === null) return 1;
  if (typeof max_items === 'number') return max_items;
  if (!canFill(max_items, known, false)) return WORKFLOW_LIMITS.items;
  const [value] = await fillKnown(deps.expressions, [max_items], scopeOf(known), step.name, usage);
  const count = asMaxItems(value);
  if (count === null) throw unfit(step.name, MAX_ITEMS_MESSAGE);
  return count;
}

const scopeOf = ({ input }: KnownInput, more: Item | null = null) => ({ input, steps: {}, ...more });

async function pricesOf(one: Case, items: readonly Item[]): Promise<PriceBounds[]> {
  const isList = one.step.for_each !== null;
  const usesItem = Object.values(one.step.input).some(({ names }) => names.item);
  if (!isList || !usesItem) return Array.from({ length: items.length }, await samePrice(one));
  const prices: PriceBounds[] = [];
  for (const item of items) prices.push(await priceOne(one, 'item' in item ? item : null));
  return prices;
}

async function samePrice(one: Case): Promise<() => PriceBounds> {
  const price = await priceOne(one, null);
  return () => price;
}

async function priceOne(one: Case, item: Item | null): Promise<PriceBounds> {
  const { deps, organization_id, step, known, usage } = one;
  const fields = Object.entries(step.input);
  const fillable = fields.filter(([, part]) => canFill(part, known, item !== null));
  const parts = fillable.map(([, part]) => part);
  const values = await fillKnown(deps.expressions, parts, scopeOf(known, item), step.name, usage);
  const filled = Object.fromEntries(
    fillable.flatMap(([name], place) => (values[place] === undefined ? [] : [[name, values[place]]])),
  );
  const open = new Set(fields.filter((field) => !fillable.includes(field)).map(([name]) => name));
  return priceBounds(deps, organization_id, step, filled, open);
}

function noteOf({ step, names }: Case, wanted: boolean | null, isCounted: boolean): string | null {
  if (wanted === null && step.when) return `Whether it is needed is known ${onceDone(step.when, names)}.`;
  if (!isCounted && step.for_each) return `How many there are is known ${onceDone(step.for_each, names)}.`;
  return null;
}

function priceNote({ step, names }: Case): string {
  const needed = Object.values(step.input).find((part) => part.names.steps.size > 0);
  return needed
    ? `What it costs is known ${onceDone(needed, names)}.`
    : 'The length of the media decides, and is not known yet.';
}

function onceDone({ names: { steps } }: Part, names: ReadonlyMap<string, string>): string {
  const [first] = steps;
  return first === undefined ? 'while it runs' : `once “${names.get(first) ?? first}” is done`;
}
