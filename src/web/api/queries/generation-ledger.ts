import { queryOptions } from '@tanstack/react-query';
import type { Generation } from '#contract/resources/generation.ts';
import { api } from '../api.ts';
import { queryKeys } from './query-keys.ts';

/** Every entry of the ledger that a generation made, oldest first; more than a hundred refunds of one are not followed. */
export const generationLedgerQuery = ({ id, updated_at }: Pick<Generation, 'id' | 'updated_at'>) =>
  queryOptions({
    // Entries are made in the very step that changes the generation.
    queryKey: [...queryKeys.billing.ledgerHead({ generation_id: id }), 'trail', updated_at],
    queryFn: async ({ signal }) => {
      const page = await api.call('list_ledger', { query: { generation_id: id, limit: 100 }, signal });
      return page.data.toReversed();
    },
  });
