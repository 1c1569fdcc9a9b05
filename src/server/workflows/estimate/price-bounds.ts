import { type Estimate, type LineItem, type MediaLengths, estimate } from '#contract/estimate.ts';
import { type Price, priceOf } from '#contract/pricing.ts';
import { parseInput } from '#contract/parse-input.ts';
import { type Field, defaultOf } from '#contract/task.ts';
import { localOrigin } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import { findOwnMedium } from '../../generations/own-media.ts';
import { referencesOf } from '../../generations/references.ts';
import { fitInput } from '../definition/fit-input.ts';
import type { Step } from '../definition/workflow.ts';
import { oneLine } from './add-lines.ts';
import { unfit } from './known.ts';

export type Bounding = Pick<Deps, 'config' | 'clock' | 'secrets' | 'db' | 'prices'>;

/** What one generation costs: at least, and at most. */
export interface PriceBounds {
  least: { micro_usd: bigint; line_items: LineItem[] };
  /** null: there is no saying. */
  most: { micro_usd: bigint; line_items: LineItem[] } | null;
}

/** Combinations of what is open that are looked at. */
const MOST_CANDIDATES = 500;

/**
 * What one generation of a step costs, where not all of its input is known.
 * @param known by field, what is known
 * @param open fields that are not
 * @throws {ApiError} 422 `invalid_request` where what is known is not what the task takes
 */
export async function priceBounds(
  deps: Bounding,
  organization_id: string,
  step: Step,
  known: Readonly<Record<string, unknown>>,
  open: ReadonlySet<string>,
): Promise<PriceBounds> {
  const row = priceOf(deps.prices, step.task, step.model);
  if (!row) throw new Error(`${step.task} has no price for ${step.model}`);
  const input = judge(deps, step, known, open);
  const lengths = await knownLengths(deps, organization_id, step, input);
  const relevant = step.contract.fields.filter((field) => open.has(field.name) && decidesPrice(row, field));
  const prices = candidates(relevant, input).map((candidate) =>
    boundsOf(row, estimate(deps.prices, step.task, step.model, candidate, lengths)),
  );
  const [first, ...others] = prices;
  if (!first) throw new Error('There is always one candidate.');
  const isEndless = relevant.some(
    (field) => (field.kind === 'number' || field.kind === 'integer') && field.max === null,
  );
  const bounds = others.reduce(widen, first);
  return isEndless ? { ...bounds, most: null } : bounds;
}

function judge(
  { config }: Pick<Deps, 'config'>,
  { name, contract }: Step,
  known: Readonly<Record<string, unknown>>,
  open: ReadonlySet<string>,
): Record<string, unknown> {
  const fitted = fitInput(contract, known);
  const parsed = parseInput(contract, fitted, localOrigin(config));
  if (parsed.ok) return parsed.input;
  const told = parsed.details.find(({ path, message }) => {
    const [, field = ''] = path.split('.');
    return !open.has(field) && !contract.rules.some((rule) => rule.message === message && open.has(rule.when.field));
  });
  if (told) throw unfit(name, told.message);
  const presets = contract.fields.flatMap((field) => {
    const preset = defaultOf(field);
    return preset === undefined ? [] : [[field.name, preset] as const];
  });
  return { ...Object.fromEntries(presets), ...fitted };
}

/** Of own media alone: others are measured when they are needed. */
async function knownLengths(
  deps: Bounding,
  organization_id: string,
  { contract }: Step,
  input: Readonly<Record<string, unknown>>,
): Promise<MediaLengths> {
  const lengths: MediaLengths = {};
  for (const { path, url } of referencesOf(contract, input)) {
    if (path !== 'video' && path !== 'audio') continue;
    const found = await findOwnMedium(deps, organization_id, url);
    const seconds = found.own ? found.medium?.duration_seconds : null;
    if (seconds == null) continue;
    if (path === 'video') lengths.video_seconds = seconds;
    else lengths.audio_seconds = seconds;
  }
  return lengths;
}

const SPECIAL_FIELDS = ['platform', 'limit', 'sync_mode'];

const decidesPrice = ({ unit, multipliers }: Price, { name }: Field): boolean =>
  SPECIAL_FIELDS.includes(name) ||
  (unit === 'second' && name === 'duration_seconds') ||
  Object.hasOwn(multipliers ?? {}, name);

/** The input with every extreme of what is open; as it is, where nothing that counts is. */
function candidates(relevant: readonly Field[], input: Record<string, unknown>): Record<string, unknown>[] {
  return relevant.reduce<Record<string, unknown>[]>(
    (found, field) =>
      found
        .flatMap((candidate) => extremesOf(field).map((value) => ({ ...candidate, [field.name]: value })))
        .slice(0, MOST_CANDIDATES),
    [input],
  );
}

function extremesOf(field: Field): readonly unknown[] {
  if (field.kind === 'choice') return field.options;
  if (field.kind === 'boolean') return [true, false];
  if (field.kind === 'number' || field.kind === 'integer')
    return field.max === null ? [field.min] : [field.min, field.max];
  return [defaultOf(field)];
}

const minimumOf = ({ minimum_micro_usd }: Price): PriceBounds['least'] => ({
  micro_usd: minimum_micro_usd,
  line_items: [oneLine('Minimum charge', minimum_micro_usd)],
});

function boundsOf(row: Price, { amount_micro_usd, basis, line_items }: Estimate): PriceBounds {
  const given = { micro_usd: amount_micro_usd, line_items };
  if (basis === 'exact') return { least: given, most: given };
  if (basis === 'lower_bound') return { least: given, most: null };
  return { least: minimumOf(row), most: given };
}

function widen(a: PriceBounds, b: PriceBounds): PriceBounds {
  return {
    least: b.least.micro_usd < a.least.micro_usd ? b.least : a.least,
    most: a.most === null || b.most === null ? null : b.most.micro_usd > a.most.micro_usd ? b.most : a.most,
  };
}
