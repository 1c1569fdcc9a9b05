import { addCredit } from '../../billing/credit.ts';
import { listLedger, presentEntry } from '../../billing/ledger.ts';
import { queryTime } from '../../billing/created-within.ts';
import { billingSummary } from '../../billing/summary.ts';
import type { Deps } from '../../deps.ts';
import type { Handlers } from '../bind.ts';

export const billingRoutes = (deps: Pick<Deps, 'db' | 'clock' | 'secrets'>) =>
  ({
    get_billing_summary: ({ caller, query }) =>
      billingSummary(deps, caller.organization_id, { from: time(query.from), to: time(query.to) }),
    list_ledger: ({ caller, query }) => listLedger(deps, caller.organization_id, query),
    async create_credit({ caller, body }) {
      const row = await addCredit(deps, caller.organization_id, { ...body, created_by: caller.key_id });
      return presentEntry(row, caller.key_name);
    },
  }) satisfies Handlers;

const time = (text: string | undefined): Date | undefined => (text === undefined ? undefined : queryTime(text));
