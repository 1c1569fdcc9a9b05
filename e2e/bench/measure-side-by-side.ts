import { median } from './load.ts';

export interface PageTimes {
  name: string;
  many_ms: number;
  few_ms: number;
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
    const [few_ms, many_ms]: [number[], number[]] = [[], []];
    for (let run = 0; run < WARM_UPS + RUNS; run += 1) {
      few_ms.push(await timed('few', queriesOf.few[name]));
      many_ms.push(await timed('many', query));
    }
    pages.push({ name, many_ms: median(many_ms.slice(WARM_UPS)), few_ms: median(few_ms.slice(WARM_UPS)) });
  }
  return pages;
}
