import type { QueryOf } from '#contract/endpoints.ts';
import { renderStatementPdf } from '#server/accounts/billing/audit-pack/statement-pdf.ts';
import { formatStatement } from '#server/accounts/billing/format-statement.ts';
import { readStatement } from '#server/accounts/billing/statement.ts';
import { scopeSpending } from '#server/accounts/billing/spending-scope.ts';
import { SNAPSHOT_TRANSACTION } from '#server/accounts/billing/summary.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { verifyLedger } from '#server/accounts/billing/verify-ledger.ts';
import { repriceSpending } from '#server/accounts/billing/reprice-spending.ts';
import { exportAuditEvents } from '#server/accounts/audit/export-events.ts';
import { listAuditEvents, listLatestChanges } from '#server/accounts/audit/list-events.ts';
import { recordExport } from '#server/accounts/audit/record-audit-event.ts';
import { createAuditPack, type PackPeriod } from '#server/accounts/billing/audit-pack/create-audit-pack.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Handlers } from '#server/http/handler.ts';

const MAX_PACK_MONTHS = 24;

/** @throws {ApiError} 422 if `to` is before `from`, or too far from it */
function parseMonths(from: string, to: string): PackPeriod {
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

export function auditRoutes(deps: Deps) {
  const statement = (caller: Caller, { by, ...query }: QueryOf<'get_statement'>) =>
    deps.db.transaction(
      async (tx) =>
        readStatement({ ...deps, db: tx }, await scopeSpending({ db: tx }, caller, query), {
          ...query,
          by: by === undefined ? [] : [by],
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
      const known_head = seq === undefined || hash === undefined ? undefined : { seq: BigInt(seq), hash };
      return verifyLedger(deps, caller.organization_id, { known_head, signal });
    },
    async export_audit_pack({ caller, query, signal }) {
      const period = parseMonths(query.from, query.to);
      await recordExport(deps, caller, 'audit_pack', query);
      return {
        filename: `audit-${query.from}-${query.to}.zip`,
        content: createAuditPack(deps, caller, period, signal),
      };
    },
    list_audit_events: ({ caller, query }) => listAuditEvents(deps, caller.organization_id, query),

    list_latest_changes: ({ caller, query }) => listLatestChanges(deps.db, caller.organization_id, query),

    async export_audit_events({ caller, query }) {
      await recordExport(deps, caller, 'audit_log', query);
      return { filename: 'audit-log.csv', lines: exportAuditEvents(deps, caller.organization_id, query) };
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
    reprice_spending: ({ caller, body, signal }) => repriceSpending(deps, caller.organization_id, body, signal),
  } satisfies Handlers;
}
