import { median } from './load.ts';

export interface PageTimes {
  name: string;
  manyMs: number;
  fewMs: number;
}

const WARM_UPS = 10;
const RUNS = 31;

/**
 * Measures the same pages of a large and a small list, alternating, so that other load affects both. Returns medians.
 */
export async function measureSideBySide<Query>(
  queriesOf: { many: Readonly<Record<string, Query>>; few: Readonly<Record<string, Query>> },
  read: (size: 'many' | 'few', query: Query | undefined) => Promise<unknown>,
): Promise<PageTimes[]> {
  const timed = async (...page: Parameters<typeof read>) => {
    const began = performance.now();
    await read(...page);
    return performance.now() - began;
  };
  const pages: PageTimes[] = [];
  for (const [name, query] of Object.entries(queriesOf.many)) {
    const [fewMs, manyMs]: [number[], number[]] = [[], []];
    for (let run = 0; run < WARM_UPS + RUNS; run += 1) {
      fewMs.push(await timed('few', queriesOf.few[name]));
      manyMs.push(await timed('many', query));
    }
    pages.push({ name, manyMs: median(manyMs.slice(WARM_UPS)), fewMs: median(fewMs.slice(WARM_UPS)) });
  }
  return pages;
}
