import { queryOptions } from '@tanstack/react-query';
import type { Generation } from '#contract/resources/generation.ts';
import { api } from '../api.ts';
import { queryKeys } from './query-keys.ts';

/** The ledger entries of a generation, oldest first. Only the first hundred are read. */
export const generationLedgerQuery = ({ id, updated_at }: Pick<Generation, 'id' | 'updated_at'>) =>
  queryOptions({
    // The transaction that changes the generation also appends its entries.
    queryKey: [...queryKeys.billing.ledgerHead({ generation_id: id }), 'trail', updated_at],
    queryFn: async ({ signal }) => {
      const page = await api.call('list_ledger', { query: { generation_id: id, limit: 100 }, signal });
      return page.data.toReversed();
    },
  });
