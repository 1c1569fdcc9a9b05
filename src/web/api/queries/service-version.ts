import { queryOptions } from '@tanstack/react-query';
import { isObject } from '#web/ui/is-object.ts';

const DEADLINE_MS = 10_000;

/** The version of the service, such as `0.1.0`; null: unknown, because it does not respond or is another program. */
export async function fetchServiceVersion(): Promise<string | null> {
  try {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const response = await fetch('/healthz', { cache: 'no-store', credentials: 'omit', signal });
    const body: unknown = await response.json();
    return isObject(body) && typeof body['version'] === 'string' ? body['version'] : null;
  } catch {
    return null;
  }
}

export const serviceVersionQuery = queryOptions({
  queryKey: ['healthz'],
  queryFn: fetchServiceVersion,
  staleTime: 60_000,
});
