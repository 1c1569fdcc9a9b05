import type { QueryOf } from '#contract/api/endpoints.ts';
import { recordExport } from '#server/accounts/audit/record-audit-event.ts';
import { addCredit } from '#server/accounts/billing/add-credit.ts';
import { createAuditPack, type PackPeriod } from '#server/accounts/billing/audit-pack/create-audit-pack.ts';
import { renderStatementPdf } from '#server/accounts/billing/audit-pack/statement-pdf.ts';
import { deleteBudget, listBudgets, setBudget } from '#server/accounts/billing/budgets.ts';
import { exportLedger } from '#server/accounts/billing/ledger/export-ledger.ts';
import { formatStatement } from '#server/accounts/billing/reports/format-statement.ts';
import { resolveLedgerSearch } from '#server/accounts/billing/ledger/ledger-search.ts';
import { listLedgerLines } from '#server/accounts/billing/ledger/list-ledger-lines.ts';
import { listLedger } from '#server/accounts/billing/ledger/list-ledger.ts';
import { listReservations } from '#server/accounts/billing/list-reservations.ts';
import { formatPivot, readPivot } from '#server/accounts/billing/reports/pivot.ts';
import { readLedgerEntry } from '#server/accounts/billing/ledger/read-ledger-entry.ts';
import { repriceSpending } from '#server/accounts/billing/reports/reprice-spending.ts';
import { scopeSpending } from '#server/accounts/billing/reports/spending-scope.ts';
import { readStatement } from '#server/accounts/billing/reports/statement.ts';
import { sumLedger } from '#server/accounts/billing/ledger/sum-ledger.ts';
import {
  readBillingSummary,
  readDailySpending,
  SNAPSHOT_TRANSACTION,
} from '#server/accounts/billing/reports/summary.ts';
import { verifyLedger } from '#server/accounts/billing/ledger/verify-ledger.ts';
import { deleteTag, listTags, setTag } from '#server/accounts/tags/manage-tags.ts';
import { suggestTagValues } from '#server/accounts/tags/suggest-values.ts';
import { addProviderBill, previewProviderBill } from '#server/accounts/closing/bills/add-bill.ts';
import {
  deleteBill,
  listBillLines,
  listBills,
  openBillFile,
  readBill,
} from '#server/accounts/closing/bills/list-bills.ts';
import { listFindings, readFinding } from '#server/accounts/closing/matching/list-findings.ts';
import { matchMonth } from '#server/accounts/closing/matching/match-month.ts';
import { readClose } from '#server/accounts/closing/read-close.ts';
import { closeMonth, reopenMonth } from '#server/accounts/closing/settling/close-month.ts';
import { settleFindings } from '#server/accounts/closing/settling/settle-findings.ts';
import { exportFocus } from '#server/accounts/closing/export-focus.ts';
import { listBillReadings } from '#server/models/bills/find-billing-key.ts';
import { readBillNow } from '#server/models/bills/read-provider-bill.ts';
import { formatMargin, readMargin } from '#server/models/connections/margin.ts';
import { readBilledNames } from '#server/models/connections/read-billed-names.ts';
import { readProviderNames } from '#server/models/connections/read-provider-names.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { parseQueryTime } from '#server/platform/db/created-within.ts';
import type { Deps } from '#server/platform/deps.ts';
import { createRequest } from '#server/studio/approvals/create-request.ts';
import { cancelRequest, decideRequest, estimateRequest } from '#server/studio/approvals/decide-request.ts';
import { listRequests, readRequestDetails } from '#server/studio/approvals/list-requests.ts';
import { refundGeneration } from '#server/studio/generations/refund-generation.ts';
import { assertPermission } from '#server/http/authenticate.ts';
import { completeList, type Handlers, toReply } from '#server/http/handler.ts';

export function billingRoutes(deps: Deps) {
  const pivot = async (caller: Caller, query: QueryOf<'get_pivot'>) =>
    readPivot(deps, await scopeSpending(deps, caller, query), { ...query, ...parsePeriod(query) });
  async function resolveFilter<Query extends Pick<QueryOf<'list_ledger'>, 'person_id' | 'tags'>>(
    caller: Caller,
    query: Query,
  ) {
    const { key_ids, tags, seesCosts } = await scopeSpending(deps, caller, query);
    return { ...query, key_ids, tags, seesCosts };
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
        filename: `spending-by-${[query.rows, query.columns].filter(Boolean).join('-and-')}.csv`.replaceAll(':', '-'),
        lines: formatPivot(table),
      };
    },
    list_reservations: async ({ caller, query }) => listReservations(deps, await scopeSpending(deps, caller), query),
    create_refund: async ({ caller, body, idempotentRequest }) =>
      toReply(await refundGeneration(deps, caller, body, idempotentRequest)),
    create_credit: async ({ caller, body, idempotentRequest }) =>
      toReply(await addCredit(deps, caller, body, idempotentRequest)),

    ...auditRoutes(deps),
    ...closingRoutes(deps),
    ...budgetRoutes(deps),
    ...requestRoutes(deps),
  } satisfies Handlers;
}

const parsePeriod = ({ from, to }: { from?: string | undefined; to?: string | undefined }) => ({
  from: from === undefined ? undefined : parseQueryTime(from),
  to: to === undefined ? undefined : parseQueryTime(to),
});

const MAX_PACK_MONTHS = 24;

/** @throws {ApiError} 422 if `to` is before `from`, or too far from it */
function parseMonths(from: string, to: string): Omit<PackPeriod, 'providers'> {
  const start = new Date(`${from}-01T00:00:00.000Z`);
  const months: string[] = [];
  const end = new Date(start);
  while (end.toISOString().slice(0, 7) <= to && months.length <= MAX_PACK_MONTHS) {
    months.push(end.toISOString().slice(0, 7));
    end.setUTCMonth(end.getUTCMonth() + 1);
  }
  if (months.length > 0 && months.length <= MAX_PACK_MONTHS) return { from: start, to: end, months };
  const message = months.length === 0 ? 'Choose a month from `from` on.' : `Choose at most ${MAX_PACK_MONTHS} months.`;
  throw new ApiError('invalid_request', message, { status: 422, details: [{ path: 'to', message }] });
}

function auditRoutes(deps: Deps) {
  const statement = (caller: Caller, { by, costs, ...query }: QueryOf<'get_statement'>) =>
    deps.db.transaction(
      async (tx) =>
        readStatement({ ...deps, db: tx }, await scopeSpending({ db: tx }, caller, query), {
          ...query,
          by: by === undefined ? [] : [by],
          costs: costs === 'true',
        }),
      SNAPSHOT_TRANSACTION,
    );
  return {
    async get_verification({ caller, query: { seq, hash }, signal }) {
      if ((seq === undefined) !== (hash === undefined)) {
        const path = seq === undefined ? 'seq' : 'hash';
        const message = 'Send seq and hash together, or neither.';
        throw new ApiError('invalid_request', message, { status: 422, details: [{ path, message }] });
      }
      const knownHead = seq === undefined || hash === undefined ? undefined : { seq: BigInt(seq), hash };
      return verifyLedger(deps, caller.organization_id, { known_head: knownHead, signal });
    },
    async export_audit_pack({ caller, query, signal }) {
      const period = parseMonths(query.from, query.to);
      await recordExport(deps, caller, 'audit_pack', query);
      return {
        filename: `audit-${query.from}-${query.to}.zip`,
        content: createAuditPack(deps, caller, { ...period, providers: await readProviderNames(deps.db) }, signal),
      };
    },

    get_statement: ({ caller, query }) => statement(caller, query),
    async export_statement({ caller, query }) {
      const exported = await statement(caller, query);
      await recordExport(deps, caller, 'statement', query);
      return { filename: `statement-${exported.month}.csv`, lines: formatStatement(exported) };
    },
    async print_statement({ caller, query }) {
      const exported = await statement(caller, query);
      await recordExport(deps, caller, 'statement', query);
      const content = Buffer.from(await renderStatementPdf(exported));
      return { filename: `statement-${exported.month}.pdf`, content };
    },
    async export_focus({ caller, query: { period, view } }) {
      if (view === 'costs') assertPermission(caller, 'costs.read');
      const scope = await scopeSpending(deps, caller);
      const providers = await readProviderNames(deps.db);
      await recordExport(deps, caller, 'focus', { period, view });
      return { filename: `focus-${view}-${period}.csv`, lines: exportFocus(deps, scope, { period, view, providers }) };
    },
    reprice_spending: ({ caller, body, signal }) => repriceSpending(deps, caller.organization_id, body, signal),
  } satisfies Handlers;
}

const readClosingNames = async ({ db }: Deps) => ({ providers: await readProviderNames(db), readBilledNames });

/** Decision: Closing, Provider bills */
const closingRoutes = (deps: Deps) =>
  ({
    get_close: async ({ caller, query }) =>
      readClose(deps, caller.organization_id, query.month, await readClosingNames(deps)),
    list_closing_findings: async ({ caller, query }) => listFindings(deps, caller, query, await readClosingNames(deps)),
    get_closing_finding: async ({ caller, params }) =>
      readFinding(deps, caller, params.finding_id, await readClosingNames(deps)),
    settle_findings: async ({ caller, body }) => settleFindings(deps, caller, body, await readClosingNames(deps)),
    close_month: async ({ caller, params }) => closeMonth(deps, caller, params.month, await readClosingNames(deps)),
    reopen_month: async ({ caller, params, body }) =>
      reopenMonth(deps, caller, params.month, body.reason, await readClosingNames(deps)),
    preview_provider_bill: async ({ caller, ...request }) =>
      previewProviderBill(deps, caller, request, await readProviderNames(deps.db)),
    async create_provider_bill({ caller, ...request }) {
      const bill = await addProviderBill(deps, caller, request, await readProviderNames(deps.db));
      await matchMonth(deps, caller.organization_id, bill.month, readBilledNames);
      return bill;
    },
    list_bill_readings: async ({ caller, query }) =>
      completeList(await listBillReadings(deps.db, caller.organization_id, query.month)),
    read_provider_bill: ({ caller, body, signal }) => readBillNow(deps, caller, body, signal),
    list_provider_bills: async ({ caller, query }) => listBills(deps, caller, query, await readProviderNames(deps.db)),
    get_provider_bill: async ({ caller, params }) =>
      readBill(deps, caller.organization_id, params.bill_id, await readProviderNames(deps.db)),
    list_provider_bill_lines: ({ caller, params, query }) => listBillLines(deps, caller, params.bill_id, query),
    async download_provider_bill({ caller, params }) {
      const file = await openBillFile(deps, caller.organization_id, params.bill_id);
      await recordExport(deps, caller, 'provider_bill', params);
      return file;
    },
    async delete_provider_bill({ caller, params }) {
      const month = await deleteBill(deps, caller, params.bill_id);
      await matchMonth(deps, caller.organization_id, month, readBilledNames);
    },
  }) satisfies Handlers;

/** Decision: Budgets, Margin, Tags */
const budgetRoutes = (deps: Deps) =>
  ({
    list_budgets: ({ caller }) => listBudgets(deps, caller.organization_id, caller),
    set_budget: ({ caller, body }) => setBudget(deps, caller, body),
    delete_budget: ({ caller, params }) => deleteBudget(deps, caller, params.budget_id),
    get_margin: async ({ caller, query }) => readMargin(deps, await scopeSpending(deps, caller, query), query),
    async export_margin({ caller, query }) {
      // Read first, so that a period that is refused is no file.
      const margin = await readMargin(deps, await scopeSpending(deps, caller, query), query);
      await recordExport(deps, caller, 'margin', query);
      return { filename: 'margin.csv', lines: formatMargin(margin) };
    },
    list_tags: async ({ caller }) => completeList(await listTags(deps.db, caller.organization_id)),
    list_tag_values: async ({ caller, params, query }) =>
      completeList(await suggestTagValues(deps.db, caller, params.tag_name, query)),
    set_tag: ({ caller, params, body }) => setTag(deps, caller, params.tag_name, body),
    delete_tag: ({ caller, params }) => deleteTag(deps, caller, params.tag_name),
  }) satisfies Handlers;

/** Decision: Approvals */
const requestRoutes = (deps: Deps) =>
  ({
    list_requests: ({ caller, query }) => listRequests(deps, caller, query),
    create_request: async ({ caller, body, idempotentRequest }) =>
      toReply(await createRequest(deps, caller, body, idempotentRequest)),
    cancel_request: ({ caller, params }) => cancelRequest(deps, caller, params.request_id),
    get_request: ({ caller, params }) => readRequestDetails(deps, caller, params.request_id),
    estimate_request: ({ caller, params }) => estimateRequest(deps, caller, params.request_id),
    decide_request: async ({ caller, params, body, idempotentRequest }) =>
      toReply(await decideRequest(deps, caller, params.request_id, body, idempotentRequest)),
  }) satisfies Handlers;
