import { readStatement, exportStatement } from '#server/billing/statement.ts';
import { verifyLedger } from '#server/billing/verify-ledger.ts';
import { repriceSpending } from '#server/billing/reprice-spending.ts';
import { exportAuditEvents } from '#server/audit/export-events.ts';
import { listAuditEvents, listLatestChanges } from '#server/audit/list-events.ts';
import { recordExport } from '#server/audit/record-audit-event.ts';
import { createAuditPack, type PackPeriod } from '#server/billing/audit-pack/create-audit-pack.ts';
import { ApiError } from '#server/core/api-error.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '../handler.ts';

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

export const auditRoutes = (deps: Pick<Deps, 'db' | 'clock' | 'config' | 'offering' | 'secrets'>) =>
  ({
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
        content: createAuditPack(deps, caller.organization_id, period, signal),
      };
    },
    list_audit_events: ({ caller, query }) => listAuditEvents(deps, caller.organization_id, query),

    list_latest_changes: ({ caller, query }) => listLatestChanges(deps, caller.organization_id, query),

    async export_audit_events({ caller, query }) {
      await recordExport(deps, caller, 'audit_log', query);
      return { filename: 'audit-log.csv', lines: exportAuditEvents(deps, caller.organization_id, query) };
    },

    get_statement: ({ caller, query }) => readStatement(deps, caller.organization_id, query.month),
    async export_statement({ caller, query }) {
      const { month } = query;
      await recordExport(deps, caller, 'statement', query);
      const filename = `statement${month === undefined ? '' : `-${month}`}.csv`;
      return { filename, lines: exportStatement(deps, caller.organization_id, month) };
    },
    reprice_spending: ({ caller, body, signal }) => repriceSpending(deps, caller.organization_id, body, signal),
  }) satisfies Handlers;
