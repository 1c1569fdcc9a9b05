import autocannon from 'autocannon';

export interface Load {
  requests_per_second: number;
  p99_ms: number;
}

interface LoadOptions {
  status: number;
  body?: unknown;
  /** Several take turns. */
  headers?: Record<string, string> | readonly Record<string, string>[];
  seconds?: number;
  connections?: number;
}

/**
 * Measures requests per second of one route over 16 connections for `seconds`, after a warm-up of one.
 * @throws where any response has another status than the expected one
 */
export async function load(
  url: string,
  { status, body, headers = {}, seconds = 5, connections = 16 }: LoadOptions,
): Promise<Load> {
  const variants = Array.isArray(headers) ? headers : [headers];
  const options = {
    url,
    connections,
    ...(body === undefined
      ? {}
      : {
          method: 'POST' as const,
          body: JSON.stringify(body),
          requests: variants.map((each) => ({ headers: { 'content-type': 'application/json', ...each } })),
        }),
  };
  await autocannon({ ...options, duration: 1 });
  const result = await autocannon({ ...options, duration: seconds });
  const wrong = Object.entries(result.statusCodeStats ?? {}).filter(([code]) => Number(code) !== status);
  if (wrong.length > 0 || result.errors > 0)
    throw new Error(`${url} answered ${JSON.stringify(result.statusCodeStats)}, ${result.errors} errors`);
  return { requests_per_second: result.requests.average, p99_ms: result.latency.p99 };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new RangeError('no values');
  return middle;
}
