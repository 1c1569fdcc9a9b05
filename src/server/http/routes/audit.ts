import { readStatement, exportStatement } from '#server/billing/statement.ts';
import { verifyLedger } from '#server/billing/verify-ledger.ts';
import { repriceSpending } from '#server/billing/reprice-spending.ts';
import { ApiError } from '#server/core/api-error.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '../handler.ts';

export const auditRoutes = (deps: Pick<Deps, 'db' | 'clock' | 'config' | 'offering'>) =>
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
    get_statement: ({ caller, query }) => readStatement(deps, caller.organization_id, query.month),
    async export_statement({ caller, query: { month } }) {
      const filename = `statement${month === undefined ? '' : `-${month}`}.csv`;
      return { filename, lines: exportStatement(deps, caller.organization_id, month) };
    },
    reprice_spending: ({ caller, body, signal }) => repriceSpending(deps, caller.organization_id, body, signal),
  }) satisfies Handlers;
