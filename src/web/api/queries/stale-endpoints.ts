import { apiKey, type StaleTarget } from '../api-query.ts';

/** What a movement of money changes: funds, budgets and everything that adds up entries. */
export const BILLING_READS = [
  'get_billing_summary',
  'get_spending',
  'get_ledger_sums',
  'list_reservations',
  'get_pivot',
  'list_budgets',
  'get_statement',
  'get_margin',
  'reprice_spending',
  'list_ledger',
  'list_ledger_lines',
  'get_ledger_entry',
] as const satisfies readonly StaleTarget[];

/** Everything that shows generations. */
export const GENERATION_READS = [
  'list_generations',
  'get_generation',
  'get_activity',
  'get_review',
  'get_upstream_job',
  'list_recent_prompts',
] as const satisfies readonly StaleTarget[];

export const GENERATION_LISTS = apiKey('list_generations', {}, 'live');
export const MEDIA_LISTS = apiKey('list_media', {}, 'live');
