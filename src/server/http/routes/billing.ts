import { recordExport } from '#server/audit/record-audit-event.ts';
import { addCredit } from '#server/billing/add-credit.ts';
import { readDailySpending } from '#server/billing/daily-spending.ts';
import { exportLedger } from '#server/billing/export-ledger.ts';
import { parseQueryTime } from '#server/db/created-within.ts';
import { listLedger } from '#server/billing/list-ledger.ts';
import { refundGeneration } from '#server/generations/refund-generation.ts';
import { listReservations } from '#server/billing/list-reservations.ts';
import { sumLedger } from '#server/billing/sum-entries.ts';
import { readBillingSummary } from '#server/billing/summary.ts';
import type { Deps } from '#server/deps.ts';
import { createIdempotentRequest } from '#server/idempotency/idempotent-request.ts';
import { type Handlers, toReply } from '../handler.ts';

export const billingRoutes = (deps: Pick<Deps, 'db' | 'clock' | 'secrets'>) =>
  ({
    get_billing_summary: ({ caller, query }) => readBillingSummary(deps, caller.organization_id, parsePeriod(query)),
    list_ledger: ({ caller, query }) => listLedger(deps, caller.organization_id, query),
    get_ledger_sums: ({ caller, query }) => sumLedger(deps, caller.organization_id, query),
    async export_ledger({ caller, query }) {
      await recordExport(deps, caller, 'ledger', query);
      return { filename: 'ledger.csv', lines: exportLedger(deps, caller.organization_id, query) };
    },
    get_spending: ({ caller, query }) => readDailySpending(deps, caller.organization_id, query.by, parsePeriod(query)),
    list_reservations: ({ caller, query }) => listReservations(deps, caller.organization_id, query),
    async create_refund({ caller, body, raw_body, idempotency_key }) {
      const idempotent_request = createIdempotentRequest(caller, idempotency_key, '/v1/billing/refunds', raw_body);
      return toReply(await refundGeneration(deps, caller, body, idempotent_request));
    },
    async create_credit({ caller, body, raw_body, idempotency_key }) {
      const idempotent_request = createIdempotentRequest(caller, idempotency_key, '/v1/billing/credits', raw_body);
      return toReply(await addCredit(deps, caller, body, idempotent_request));
    },
  }) satisfies Handlers;

const parsePeriod = ({ from, to }: { from?: string | undefined; to?: string | undefined }) => ({
  from: from === undefined ? undefined : parseQueryTime(from),
  to: to === undefined ? undefined : parseQueryTime(to),
});
