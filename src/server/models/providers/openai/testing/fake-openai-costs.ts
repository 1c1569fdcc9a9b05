import { computeImageCost, type OpenAiImageUsage } from '../image-cost.ts';

/** What an account owes, as the images that were ordered add to it. */
export interface FakeOpenAiCosts {
  /** Of the admin key; null: none may read costs. */
  key: string | null;
  entries: { time: Date; line_item: string; usd: number; project_id: string | null }[];
  currency: string;
  /** What is billed for each dollar of an order. */
  factor: number;
  page_days: number;
  now: () => Date;
}

export const createFakeOpenAiCosts = (): FakeOpenAiCosts => ({
  key: null,
  entries: [],
  currency: 'usd',
  factor: 1,
  page_days: 31,
  now: () => new Date(),
});

/** Bills an image that was really ordered. */
export function billImage({ entries, factor, now }: FakeOpenAiCosts, model: string, usage: OpenAiImageUsage): void {
  const microUsd = computeImageCost(usage);
  if (typeof microUsd !== 'bigint') return;
  const usd = (Number(microUsd) / 1e6) * factor;
  entries.push({ time: now(), line_item: `${model}, image output`, usd, project_id: null });
}

/** `GET /organization/costs`: sums by day (UTC), line item and project. */
export function pageOfCosts({ entries, currency, page_days }: FakeOpenAiCosts, query: URLSearchParams): object {
  const [start, end] = [Number(query.get('start_time')), Number(query.get('end_time'))];
  const first = Number(query.get('page')?.replace('page_', '') ?? start);
  const limit = Math.min(Number(query.get('limit') ?? 7), page_days);
  const days = Array.from({ length: limit }, (_, day) => first + day * 86_400).filter((day) => day < end);
  const data = days.map((start_time) => {
    const end_time = start_time + 86_400;
    const sums = new Map<string, (typeof entries)[number]>();
    for (const entry of entries) {
      const seconds = entry.time.getTime() / 1000;
      if (seconds < start_time || seconds >= end_time) continue;
      const key = JSON.stringify([entry.line_item, entry.project_id]);
      sums.set(key, { ...entry, usd: entry.usd + (sums.get(key)?.usd ?? 0) });
    }
    const results = [...sums.values()].map(({ line_item, project_id, usd }) => ({
      object: 'organization.costs.result',
      amount: { value: usd, currency },
      line_item,
      project_id,
    }));
    return { object: 'bucket', start_time, end_time, results };
  });
  const next = first + limit * 86_400;
  const has_more = next < end;
  return { object: 'page', data, has_more, next_page: has_more ? `page_${next}` : null };
}
