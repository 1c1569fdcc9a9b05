import { formatNano as amount } from '#contract/money/money.ts';
import type { FindingCause, FindingDetail, FindingKind, SettleAction } from '#contract/resources/closing-finding.ts';
import type { BillCategory } from '#contract/resources/provider-bill.ts';
import type { GenerationStatus } from '#contract/statuses.ts';

/** Both sides of a request, or of a day and model, in one month of one provider. */
export interface Pair {
  lines: {
    count: number;
    billNano: bigint;
    /** null: not known of all. */
    quantityNano: bigint | null;
    category: BillCategory;
    /** `2026-11` */
    month: string;
    hasRequest: boolean;
  } | null;
  /** Booked in this month at this provider. */
  jobs: {
    count: number;
    /** null: known of none. */
    costNano: bigint | null;
    quantityNano: bigint | null;
    /** Of a single one. */
    status: GenerationStatus | null;
    isTimeout: boolean;
    /** Its cost is a list price, which later jobs can have another of. */
    hasListPrice: boolean;
    /** Without lines here: the month of another bill with its request. */
    billedIn: string | null;
  } | null;
  /** The job of the request, where it is booked elsewhere. */
  elsewhere: {
    /** null: it has not ended. */
    month: string | null;
    isSameProvider: boolean;
    /** With corrections booked elsewhere. */
    costNano: bigint;
    /** No other bill has taken this cost. */
    isCarried: boolean;
  } | null;
  /** By earlier settlements. */
  bookedNano: bigint;
}

interface NamedFinding {
  kind: FindingKind;
  detail: FindingDetail;
  differenceNano: bigint;
  /** What remains to be booked. */
  dueNano: bigint;
  isCorrection: boolean;
  /** Accepted while something is due. */
  actions: SettleAction[];
}

const MICRO_NANO = 1_000n;
const HALF_CENT_NANO = 5_000_000n;

/** Sums over all pairs with a known cost and a bill. */
interface SmallDifferences {
  /** Of the sizes below half a cent. */
  belowHalfCentNano: bigint;
  /** Of the differences below a micro-dollar, in which our costs are whole. */
  belowMicroNano: bigint;
}

/** Below which size a difference is rounding, so that all of them together are below half a cent. */
export function roundingLimit({ belowHalfCentNano, belowMicroNano }: SmallDifferences): bigint {
  if (belowHalfCentNano < HALF_CENT_NANO) return HALF_CENT_NANO;
  return size(belowMicroNano) < HALF_CENT_NANO ? MICRO_NANO : 0n;
}

type Naming = Pick<NamedFinding, 'kind'> & {
  cause: FindingCause | null;
  /** What the costs have to change by in total. */
  targetNano: bigint;
} & Partial<Omit<FindingDetail, 'cause'>>;

/** Names what a difference consists of. The same pair always gets the same name. Decision: Closing */
export function nameFinding(pair: Pair, limitNano: bigint, closedMonths: ReadonlySet<string>): NamedFinding {
  const { lines, jobs, elsewhere, bookedNano } = pair;
  const { kind, cause, targetNano, ...detail } = nameSides(pair, limitNano);
  const dueNano = targetNano - bookedNano;
  const isCorrection =
    lines !== null &&
    (closedMonths.has(lines.month) || (elsewhere?.month != null && closedMonths.has(elsewhere.month)));
  return {
    kind,
    detail: { cause, ours: null, theirs: null, percent: null, times: null, month: null, ...detail },
    differenceNano: (lines?.billNano ?? 0n) - (jobs?.costNano ?? 0n),
    dueNano,
    isCorrection,
    actions: dueNano === 0n ? [] : actionsOf(kind, cause, hasNewCost(pair)),
  };
}

function nameSides({ lines, jobs, elsewhere, bookedNano }: Pair, limitNano: bigint): Naming {
  if (lines === null) {
    // What was settled here before has lost its lines.
    if (jobs === null) return { kind: 'theirs_only', cause: 'adjustment', targetNano: 0n };
    const { billedIn, costNano } = jobs;
    if (billedIn !== null)
      return { kind: 'billed_later', cause: 'other_month', month: billedIn, targetNano: bookedNano };
    return costNano === null || costNano === 0n
      ? { kind: 'equal', cause: null, targetNano: 0n }
      : { kind: 'ours_only', cause: 'not_billed', targetNano: -costNano };
  }
  const { billNano, category, hasRequest } = lines;
  if (jobs !== null) return nameBilled(lines, jobs, limitNano);
  if (elsewhere !== null) {
    const { month, isSameProvider, costNano, isCarried } = elsewhere;
    if (month === null) return { kind: 'billed_later', cause: 'unfinished', targetNano: 0n };
    const restNano = billNano - (isCarried ? costNano : 0n);
    const targetNano = size(restNano) < limitNano ? 0n : restNano;
    return isSameProvider
      ? { kind: 'billed_later', cause: 'other_month', month, targetNano }
      : { kind: 'theirs_only', cause: 'other_provider', targetNano };
  }
  const usage = hasRequest ? 'unknown_request' : 'no_request';
  return { kind: 'theirs_only', cause: category === 'usage' ? usage : category, targetNano: billNano };
}

/** Of jobs and lines in the same month. */
function nameBilled(
  { count, billNano, quantityNano: theirQuantity }: NonNullable<Pair['lines']>,
  jobs: NonNullable<Pair['jobs']>,
  limitNano: bigint,
): Naming {
  const { status, isTimeout, quantityNano: ourQuantity } = jobs;
  const costNano = jobs.costNano ?? 0n;
  const targetNano = billNano - costNano;
  if (targetNano === 0n) return { kind: 'equal', cause: null, targetNano };
  if (size(targetNano) < limitNano) return { kind: 'rounded', cause: null, targetNano: 0n };
  if (status === 'failed' || status === 'canceled')
    return { kind: 'billed_not_delivered', cause: isTimeout ? 'timed_out' : status, targetNano };
  const differs = (cause: FindingCause, detail: Partial<FindingDetail> = {}): Naming => ({
    kind: 'price_differs',
    cause,
    targetNano,
    ...detail,
  });
  if (jobs.costNano === null) return differs('unknown_cost');
  const isClose = (a: bigint, b: bigint) => size(a - b) <= MICRO_NANO;
  if (jobs.count === 1 && count > 1 && isClose(billNano, costNano * BigInt(count)))
    return differs('repeated', { times: count });
  const haveQuantities = theirQuantity !== null && ourQuantity !== null && theirQuantity > 0n && ourQuantity > 0n;
  if (haveQuantities && theirQuantity !== ourQuantity && isClose(billNano, (costNano * theirQuantity) / ourQuantity))
    return differs('quantity', { ours: amount(ourQuantity), theirs: amount(theirQuantity) });
  const units = haveQuantities && theirQuantity === ourQuantity ? theirQuantity : null;
  const prices = units === null ? {} : { ours: unitPrice(costNano, units), theirs: unitPrice(billNano, units) };
  const percent = costNano > 0n && billNano >= 0n ? (100n * (costNano - billNano) + costNano / 2n) / costNano : 0n;
  if (percent > 0n && isClose(billNano * 100n, costNano * (100n - percent)))
    return differs('discount', { percent: Number(percent), ...prices });
  return units === null ? differs('total') : differs('unit_price', prices);
}

/** Of a unit price another one follows, unless the bill is about something else. */
const REPRICED: readonly (FindingCause | null)[] = ['unit_price', 'discount', 'total'];

const hasNewCost = ({ lines, jobs, bookedNano }: Pair): boolean =>
  jobs?.hasListPrice === true && bookedNano === 0n && (jobs.costNano ?? 0n) > 0n && (lines?.billNano ?? 0n) > 0n;

function actionsOf(kind: FindingKind, cause: FindingCause | null, isRepriceable: boolean): SettleAction[] {
  if (kind === 'ours_only') return ['write_off'];
  return kind === 'price_differs' && isRepriceable && REPRICED.includes(cause)
    ? ['use_new_cost', 'book_cost']
    : ['book_cost'];
}

const NANO = 1_000_000_000n;
const unitPrice = (nano: bigint, quantityNano: bigint): string => amount((nano * NANO) / quantityNano);
const size = (nano: bigint): bigint => (nano < 0n ? -nano : nano);
