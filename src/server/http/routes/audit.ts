import { billingStatement, exportStatement } from '../../billing/statement.ts';
import { verifyLedger } from '../../billing/verify-ledger.ts';
import { repriceSpending } from '../../billing/what-if.ts';
import type { Deps } from '../../deps.ts';
import type { Handlers } from '../bind.ts';

export const auditRoutes = (deps: Pick<Deps, 'db' | 'clock' | 'config' | 'prices'>) =>
  ({
    get_verification({ caller, query: { seq, hash }, signal }) {
      const known_head = seq === undefined || hash === undefined ? undefined : { seq: BigInt(seq), hash };
      return verifyLedger(deps, caller.organization_id, { known_head, signal });
    },
    get_statement: ({ caller, query }) => billingStatement(deps, caller.organization_id, query.month),
    async export_statement({ caller, query: { month } }) {
      const filename = `statement${month === undefined ? '' : `-${month}`}.csv`;
      return { filename, lines: exportStatement(deps, caller.organization_id, month) };
    },
    reprice_spending: ({ caller, body, signal }) => repriceSpending(deps, caller.organization_id, body, signal),
  }) satisfies Handlers;
