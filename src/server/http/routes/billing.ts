import { recordExport } from '#server/accounts/audit/record-audit-event.ts';
import { addCredit } from '#server/accounts/billing/add-credit.ts';
import { exportLedger } from '#server/accounts/billing/export-ledger.ts';
import { parseQueryTime } from '#server/platform/db/created-within.ts';
import { resolveLedgerSearch } from '#server/accounts/billing/ledger-search.ts';
import { listLedgerLines } from '#server/accounts/billing/list-ledger-lines.ts';
import { listLedger } from '#server/accounts/billing/list-ledger.ts';
import { readLedgerEntry } from '#server/accounts/billing/read-ledger-entry.ts';
import { refundGeneration } from '#server/studio/generations/refund-generation.ts';
import { listReservations } from '#server/accounts/billing/list-reservations.ts';
import { formatPivot, readPivot } from '#server/accounts/billing/pivot.ts';
import { scopeSpending } from '#server/accounts/billing/spending-scope.ts';
import type { QueryOf } from '#contract/endpoints.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { sumLedger } from '#server/accounts/billing/sum-entries.ts';
import { readBillingSummary, readDailySpending } from '#server/accounts/billing/summary.ts';
import type { Deps } from '#server/platform/deps.ts';
import { createIdempotentRequest } from '#server/accounts/idempotency/idempotent-request.ts';
import { type Handlers, toReply } from '#server/http/handler.ts';

export function billingRoutes(deps: Deps) {
  const pivot = async (caller: Caller, query: QueryOf<'get_pivot'>) =>
    readPivot(deps, await scopeSpending(deps, caller, query), { ...query, ...parsePeriod(query) });
  async function resolveFilter<Query extends Pick<QueryOf<'list_ledger'>, 'person_id' | 'tags'>>(
    caller: Caller,
    query: Query,
  ) {
    const { key_ids, tags, sees_costs } = await scopeSpending(deps, caller, query);
    return { ...query, key_ids, tags, sees_costs };
  }
  return {
    get_billing_summary: async ({ caller, query }) =>
      readBillingSummary(deps, await scopeSpending(deps, caller), parsePeriod(query)),
    list_ledger: async ({ caller, query }) =>
      listLedger(deps, caller.organization_id, await resolveFilter(caller, query)),
    list_ledger_lines: async ({ caller, query }) =>
      listLedgerLines(deps, caller.organization_id, await resolveFilter(caller, query)),
    get_ledger_entry: async ({ caller, params }) =>
      readLedgerEntry(deps.db, await scopeSpending(deps, caller), params.entry_id),
    get_ledger_sums: async ({ caller, query }) =>
      sumLedger(deps.db, caller.organization_id, await resolveFilter(caller, query)),
    async export_ledger({ caller, query }) {
      const { organization_id } = caller;
      const filter = await resolveLedgerSearch(deps.db, organization_id, await resolveFilter(caller, query));
      await recordExport(deps, caller, 'ledger', query);
      return { filename: 'ledger.csv', lines: exportLedger(deps, organization_id, filter) };
    },
    get_spending: async ({ caller, query }) =>
      readDailySpending(deps, await scopeSpending(deps, caller, query), query.by, parsePeriod(query)),
    get_pivot: ({ caller, query }) => pivot(caller, query),
    async export_pivot({ caller, query }) {
      const table = await pivot(caller, query);
      await recordExport(deps, caller, 'pivot', query);
      return {
        filename: `spending-by-${query.rows}-and-${query.columns}.csv`.replaceAll(':', '-'),
        lines: formatPivot(table),
      };
    },
    list_reservations: async ({ caller, query }) => listReservations(deps, await scopeSpending(deps, caller), query),
    async create_refund({ caller, body, raw_body, idempotency_key }) {
      const idempotent_request = createIdempotentRequest(caller, idempotency_key, '/v1/billing/refunds', raw_body);
      return toReply(await refundGeneration(deps, caller, body, idempotent_request));
    },
    async create_credit({ caller, body, raw_body, idempotency_key }) {
      const idempotent_request = createIdempotentRequest(caller, idempotency_key, '/v1/billing/credits', raw_body);
      return toReply(await addCredit(deps, caller, body, idempotent_request));
    },
  } satisfies Handlers;
}

const parsePeriod = ({ from, to }: { from?: string | undefined; to?: string | undefined }) => ({
  from: from === undefined ? undefined : parseQueryTime(from),
  to: to === undefined ? undefined : parseQueryTime(to),
});
