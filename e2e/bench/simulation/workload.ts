import type { Order } from './turn-queue.ts';

type Random = () => number;

/** Numbers from 0 to 1, equal for equal seeds (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const exponential = (random: Random, mean: number): number => -Math.log(1 - random()) * mean;

const normal = (random: Random): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Work of one kind: its share of all orders, and seconds that it runs. */
export interface Work {
  share: number;
  medianSeconds: number;
  /** 95 of 100 take less. */
  p95Seconds: number;
}

const P95_DEVIATIONS = 1.645;

function runSecondsOf(random: Random, work: readonly Work[]): number {
  let left = random() * work.reduce((sum, { share }) => sum + share, 0);
  const kind = work.find(({ share }) => (left -= share) < 0) ?? work[0];
  if (!kind) throw new RangeError('There is no work.');
  const deviation = Math.log(kind.p95Seconds / kind.medianSeconds) / P95_DEVIATIONS;
  return kind.medianSeconds * Math.exp(deviation * normal(random));
}

export interface Workload {
  seed: number;
  organizations: number;
  ordersPerMonth: number;
  days: number;
  work: readonly Work[];
}

export interface SimulatedOrder extends Order {
  /** How many were ordered at once. */
  batch: number;
}

/** The largest organizations, one of 100, by number. With their batches they order two thirds. */
export const isLarge = (organization: number, { organizations }: Pick<Workload, 'organizations'>): boolean =>
  organization < organizations / 100;

const DAY_SECONDS = 86_400;
const MONTH_DAYS = 30;
/** At noon 1.8 times the mean, at midnight 0.2 times. */
const SWING = 0.8;
const BATCH_SHARE = 0.05;
const MIN_BATCH = 20;
const MAX_BATCH = 1_000;
/** Pareto, so that few batches are large. */
const BATCH_EXPONENT = 1.2;
const MEAN_BATCH_RUNS = 20_000;

/** Orders of organizations of very different sizes, in the order of their times. */
export function createOrders(workload: Workload): SimulatedOrder[] {
  const { seed, organizations, ordersPerMonth, days, work } = workload;
  const random = createRandom(seed);
  const cumulative = new Float64Array(organizations);
  let sum = 0;
  for (let number = 0; number < organizations; number += 1) cumulative[number] = sum += 1 / (number + 10);
  const largeShare = (cumulative[Math.ceil(organizations / 100) - 1] ?? 0) / sum;
  const batchSize = () => Math.min(MAX_BATCH, Math.floor(MIN_BATCH * (1 - random()) ** (-1 / BATCH_EXPONENT)));
  let batchSum = 0;
  for (let run = 0; run < MEAN_BATCH_RUNS; run += 1) batchSum += batchSize();
  const perVisit = 1 + largeShare * BATCH_SHARE * (batchSum / MEAN_BATCH_RUNS - 1);
  const peakPerSecond = ((ordersPerMonth / MONTH_DAYS / DAY_SECONDS) * (1 + SWING)) / perVisit;
  const orders: SimulatedOrder[] = [];
  for (
    let at = exponential(random, 1 / peakPerSecond);
    at < days * DAY_SECONDS;
    at += exponential(random, 1 / peakPerSecond)
  ) {
    const level = (1 - SWING * Math.cos((2 * Math.PI * at) / DAY_SECONDS)) / (1 + SWING);
    if (random() > level) continue;
    const organization = findFirst(cumulative, random() * sum);
    const keys = Math.max(1, Math.floor(40 / Math.sqrt(organization + 1)));
    const key = organization * 100 + Math.floor(random() * keys);
    const batch = isLarge(organization, workload) && random() < BATCH_SHARE ? batchSize() : 1;
    for (let number = 0; number < batch; number += 1)
      orders.push({ atSeconds: at, organization, key, batch, runSeconds: runSecondsOf(random, work) });
  }
  return orders;
}

/** @returns the index of the first value of a sorted list that is above */
function findFirst(sorted: Float64Array, above: number): number {
  let [low, high] = [0, sorted.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) > above) high = middle;
    else low = middle + 1;
  }
  return low;
}
