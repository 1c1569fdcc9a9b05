import { type Lane, simulateLane } from './simulate-lane.ts';
import { createOrders, isLarge, type SimulatedOrder, type Work, type Workload } from './workload.ts';

const ORGANIZATIONS = 10_000;
const SEED = 48;
const VOLUMES = [1_000_000, 10_000_000];
/** What most people accept before their work starts. */
const MAX_WAIT_SECONDS = 10;

interface LaneModel {
  name: string;
  kind: Lane['kind'];
  /** Of all orders. */
  share: number;
  work: readonly Work[];
  /** Of processes, or of all of them together. */
  sizes: (count: number) => Pick<Lane, 'processes' | 'places'>;
}

const LANES: readonly LaneModel[] = [
  {
    name: 'media tools, workers of 2',
    kind: 'local',
    share: 0.2,
    // Processor seconds, measured with 20 s of 720p: sound or a frame of it 2.5, a cut of 10 s 8, joining two 27.
    work: [
      { share: 0.4, medianSeconds: 2.5, p95Seconds: 6 },
      { share: 0.6, medianSeconds: 10, p95Seconds: 40 },
    ],
    sizes: (count) => ({ processes: count, places: 2 }),
  },
  {
    name: 'providers, UPSTREAM_CONCURRENCY',
    kind: 'provider',
    share: 0.8,
    // Assumed: a provider's time is not ours to measure.
    work: [
      { share: 0.8, medianSeconds: 8, p95Seconds: 20 },
      { share: 0.2, medianSeconds: 75, p95Seconds: 180 },
    ],
    sizes: (count) => ({ processes: 2, places: count }),
  },
];

interface SimulatedRow {
  lane: string;
  ordersPerMonth: number;
  orderBy: Lane['orderBy'];
  /** Workers or places. */
  size: number;
  /** Seconds in the queue. */
  singleP50: number;
  singleP99: number;
  smallP99: number;
  batchP99: number;
}

/** Simulates a day of all lanes and volumes, with equal results for equal seeds. */
export function simulateAll(options: Partial<Pick<Workload, 'seed' | 'organizations'>> = {}, volumes = VOLUMES) {
  const { seed = SEED, organizations = ORGANIZATIONS } = options;
  return volumes.flatMap((ordersPerMonth) =>
    LANES.flatMap((lane) => {
      const { work, share } = lane;
      const workload = { seed, organizations, ordersPerMonth: ordersPerMonth * share, days: 1, work };
      const orders = createOrders(workload);
      const run = (size: number, orderBy: Lane['orderBy']): SimulatedRow => {
        const waits = simulateLane(orders, { ...lane.sizes(size), kind: lane.kind, orderBy });
        return { lane: lane.name, ordersPerMonth, orderBy, size, ...summarize(orders, waits, workload) };
      };
      const [fair, byAge] = (['turns', 'age'] as const).map((orderBy) =>
        findLeast(
          (size) => run(size, orderBy),
          ({ singleP99 }) => singleP99 <= MAX_WAIT_SECONDS,
        ),
      ) as [SimulatedRow, SimulatedRow];
      return [fair, run(fair.size, 'age'), byAge];
    }),
  );
}

/** The least size that is enough: doubled until it is, then halved. */
function findLeast(run: (size: number) => SimulatedRow, isEnough: (row: SimulatedRow) => boolean): SimulatedRow {
  let low = 0;
  let best = run(1);
  while (!isEnough(best)) {
    low = best.size;
    best = run(best.size * 2);
  }
  while (best.size - low > 1) {
    const middle = run((low + best.size) >> 1);
    if (isEnough(middle)) best = middle;
    else low = middle.size;
  }
  return best;
}

function summarize(orders: readonly SimulatedOrder[], waits: Float64Array, workload: Workload) {
  const of = (isCounted: (order: SimulatedOrder) => boolean) =>
    waits.filter((_, index) => isCounted(orders[index] as SimulatedOrder)).toSorted();
  const single = of(({ batch }) => batch === 1);
  return {
    singleP50: quantile(single, 0.5),
    singleP99: quantile(single, 0.99),
    smallP99: quantile(
      of(({ organization }) => !isLarge(organization, workload)),
      0.99,
    ),
    batchP99: quantile(
      of(({ batch }) => batch > 1),
      0.99,
    ),
  };
}

export const quantile = (sorted: Float64Array, share: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;

const SECONDS_FORMAT = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

/** Prints the table of docs/scale.md. */
export function simulate(): Promise<void> {
  const head = ['lane', 'orders a month', 'order', 'size', 'p50', 'p99', 'p99 small', 'p99 batches'];
  const rows = simulateAll().map((row) => [
    row.lane,
    row.ordersPerMonth.toLocaleString('en'),
    row.orderBy,
    String(row.size),
    ...[row.singleP50, row.singleP99, row.smallP99, row.batchP99].map(
      (seconds) => `${SECONDS_FORMAT.format(seconds)} s`,
    ),
  ]);
  for (const cells of [head, head.map(() => '---'), ...rows]) process.stdout.write(`| ${cells.join(' | ')} |\n`);
  return Promise.resolve();
}
