import type { EndpointFilters } from './query-keys.ts';

/** Query keys of batches, apart from the others, which every page loads. */
export const batchKeys = {
  all: ['batches'],
  lists: ['batches', 'list'],
  list: (filters: EndpointFilters<'list_batches'>) => ['batches', 'list', filters],
  heads: ['batches', 'head'],
  head: (filters: EndpointFilters<'list_batches'>) => ['batches', 'head', filters],
  detail: (id: string) => ['batches', 'detail', id],
  ordersOf: (id: string) => ['batches', 'orders', id],
  orders: (id: string, status: string | undefined) => ['batches', 'orders', id, status ?? 'all'],
  /** The orders are too long for a key; `revision` stands for them. */
  dryRun: (revision: number) => ['batches', 'dry-run', revision],
  medium: (name: string) => ['batches', 'medium', name],
  media: (names: readonly string[]) => ['batches', 'media', names],
} as const;
