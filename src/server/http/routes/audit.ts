import { verifyLedger } from '../../billing/verify-ledger.ts';
import type { Deps } from '../../deps.ts';
import type { Handlers } from '../bind.ts';

export const auditRoutes = (deps: Pick<Deps, 'db' | 'clock'>) =>
  ({
    get_verification({ caller, query: { seq, hash }, signal }) {
      const known_head = seq === undefined || hash === undefined ? undefined : { seq: BigInt(seq), hash };
      return verifyLedger(deps, caller.organization_id, { known_head, signal });
    },
  }) satisfies Handlers;
