import type { Estimate, MediaLengths, PricedLineItem } from '#contract/money/estimate.ts';
import { countedFields } from '#contract/added-models/prices/price.ts';
import { findAddedVersion, type OfferedVersion } from '#contract/model-catalog.ts';
import { boundOf, priceOrder, quoteVersion } from '#contract/money/price-order.ts';
import { type Price, findPrice } from '#contract/money/pricing.ts';
import { parseInput } from '#contract/parse-input.ts';
import { type FieldSpec, fieldDefault } from '#contract/task.ts';
import { assertPriceable } from '#server/models/catalog/validate-request.ts';
import { ownMediaOrigin } from '#server/platform/core/settings/config.ts';
import type { Deps } from '#server/platform/deps.ts';
import { findLocalMedia } from '#server/studio/assets/find-stored-media.ts';
import { extractReferences } from '#contract/task-input.ts';
import { normalizeInput } from '#server/studio/workflows/definition/normalize-input.ts';
import type { WorkflowStep } from '#server/studio/workflows/definition/workflow.ts';
import { singleLineItem } from './line-items.ts';
import { boundLipsync, longestOutput } from './longest-output.ts';
import { unsuitableInputError } from './known-input.ts';

export interface PriceBounds {
  minimum: { microUsd: bigint; line_items: PricedLineItem[] };
  maximum: { microUsd: bigint; line_items: PricedLineItem[] } | null;
  /** The most that its output lasts; undefined: not known before the run. */
  longestSeconds?: number | undefined;
}

const MAX_CANDIDATES = 500;

/**
 * @param open fields with unknown values
 * @param longest the most that media of earlier steps last, by field
 * @throws {ApiError} 422 `invalid_request` if a known value is not valid for the task
 */
export async function priceBounds(
  deps: Deps,
  organizationId: string,
  step: WorkflowStep,
  known: Readonly<Record<string, unknown>>,
  open: ReadonlySet<string>,
  longest: MediaLengths,
): Promise<PriceBounds> {
  const catalog = deps.offering.current();
  const added = findAddedVersion(catalog, step);
  if (added) assertPriceable(added);
  if (added) return boundAdded(added, validateKnownInput(deps, step, known, open), open);
  const row = findPrice(catalog.prices, step.task, step.model);
  if (!row) throw new Error(`${step.task} has no price for ${step.model}`);
  const input = validateKnownInput(deps, step, known, open);
  const lengths = await knownMediaLengths(deps, organizationId, step, input);
  const relevant = step.contract.fields.filter((field) => open.has(field.name) && decidesPrice(row, field));
  const most = { ...longest, ...lengths };
  const prices = candidates(relevant, input).map((candidate): PriceBounds => {
    const bounds = toBounds(row, priceOrder(catalog, step, candidate, lengths));
    const bounded = boundLipsync(candidate['sync_mode'], most);
    const maximum = bounds.maximum ?? toBounds(row, priceOrder(catalog, step, candidate, bounded)).maximum;
    return { ...bounds, maximum, longestSeconds: longestOutput(step.task, candidate, most) };
  });
  const [first, ...others] = prices;
  if (!first) throw new Error('There is always one candidate.');
  const isEndless = relevant.some(
    (field) => (field.kind === 'number' || field.kind === 'integer') && field.max === null,
  );
  const bounds = others.reduce(widenBounds, first);
  return isEndless ? { ...bounds, maximum: null } : bounds;
}

/** Its price where all is known that decides it, else the most that it costs. */
function boundAdded(
  version: OfferedVersion,
  input: Readonly<Record<string, unknown>>,
  open: ReadonlySet<string>,
): PriceBounds {
  const quoted = ![...countedFields(version.price)].some((name) => open.has(name))
    ? quoteVersion(version, input)
    : null;
  const minimumMicroUsd = BigInt(version.price.minimum_micro_usd);
  if (quoted) return toBounds({ minimum_micro_usd: minimumMicroUsd }, quoted);
  const bound = boundOf(version);
  return {
    minimum: minimumCharge({ minimum_micro_usd: minimumMicroUsd }),
    maximum: { microUsd: bound, line_items: [singleLineItem(`${version.name} · at most`, bound)] },
  };
}

function validateKnownInput(
  { config }: Deps,
  { name, contract }: WorkflowStep,
  known: Readonly<Record<string, unknown>>,
  open: ReadonlySet<string>,
): Record<string, unknown> {
  const fitted = normalizeInput(contract, known);
  const parsed = parseInput(contract, fitted, ownMediaOrigin(config));
  if (parsed.ok) return parsed.input;
  const problem = parsed.details.find(({ path, message }) => {
    const [, field = ''] = path.split('.');
    return !open.has(field) && !contract.rules.some((rule) => rule.message === message && open.has(rule.when.field));
  });
  if (problem) throw unsuitableInputError(name, problem.message);
  const presets = contract.fields.flatMap((field) => {
    const preset = fieldDefault(field);
    return preset === undefined ? [] : [[field.name, preset] as const];
  });
  return { ...Object.fromEntries(presets), ...fitted };
}

/** Reads lengths of own media only; others are measured when the step runs. */
async function knownMediaLengths(
  deps: Deps,
  organizationId: string,
  { contract }: WorkflowStep,
  input: Readonly<Record<string, unknown>>,
): Promise<MediaLengths> {
  const lengths: MediaLengths = {};
  for (const { path, url } of extractReferences(contract, input)) {
    if (path !== 'video' && path !== 'audio') continue;
    const reference = await findLocalMedia(deps, organizationId, url);
    const seconds = reference.own ? reference.medium?.duration_seconds : null;
    if (seconds == null) continue;
    if (path === 'video') lengths.video_seconds = seconds;
    else lengths.audio_seconds = seconds;
  }
  return lengths;
}

const SPECIAL_FIELDS = ['platform', 'limit', 'sync_mode'];

const decidesPrice = ({ unit, multipliers }: Price, { name }: FieldSpec): boolean =>
  SPECIAL_FIELDS.includes(name) ||
  (unit === 'second' && name === 'duration_seconds') ||
  Object.hasOwn(multipliers ?? {}, name);

/** Every combination of extreme values of open fields that affect the price. */
function candidates(relevant: readonly FieldSpec[], input: Record<string, unknown>): Record<string, unknown>[] {
  return relevant.reduce<Record<string, unknown>[]>(
    (inputs, field) =>
      inputs
        .flatMap((candidate) => extremeValues(field).map((value) => ({ ...candidate, [field.name]: value })))
        .slice(0, MAX_CANDIDATES),
    [input],
  );
}

function extremeValues(field: FieldSpec): readonly unknown[] {
  if (field.kind === 'choice') return field.options;
  if (field.kind === 'boolean') return [true, false];
  if (field.kind === 'number' || field.kind === 'integer')
    return [field.min ?? 0, ...(field.max === null ? [] : [field.max])];
  return [fieldDefault(field)];
}

const minimumCharge = ({ minimum_micro_usd }: Pick<Price, 'minimum_micro_usd'>): PriceBounds['minimum'] => ({
  microUsd: minimum_micro_usd,
  line_items: [singleLineItem('Minimum charge', minimum_micro_usd)],
});

function toBounds(
  row: Pick<Price, 'minimum_micro_usd'>,
  { amount_micro_usd, basis, line_items }: Estimate,
): PriceBounds {
  const bound = { microUsd: amount_micro_usd, line_items };
  if (basis === 'exact') return { minimum: bound, maximum: bound };
  if (basis === 'lower_bound') return { minimum: bound, maximum: null };
  return { minimum: minimumCharge(row), maximum: bound };
}

/** undefined if one of them is not known. */
export const longestOf = (bounds: readonly Pick<PriceBounds, 'longestSeconds'>[]): number | undefined =>
  bounds.reduce<number | undefined>(
    (most, { longestSeconds }) =>
      most === undefined || longestSeconds === undefined ? undefined : Math.max(most, longestSeconds),
    bounds.length === 0 ? undefined : 0,
  );

function widenBounds(a: PriceBounds, b: PriceBounds): PriceBounds {
  return {
    minimum: b.minimum.microUsd < a.minimum.microUsd ? b.minimum : a.minimum,
    maximum:
      a.maximum === null || b.maximum === null ? null : b.maximum.microUsd > a.maximum.microUsd ? b.maximum : a.maximum,
    longestSeconds: longestOf([a, b]),
  };
}
