import { AuditPack } from './audit-pack.tsx';
import { LedgerVerificationCard } from './ledger-verification-card.tsx';

/** Proves that the ledger is intact, here and outside of this studio. */
export function AuditView() {
  return (
    <div className="grid max-w-5xl items-start gap-6 lg:grid-cols-2">
      <LedgerVerificationCard />
      <AuditPack />
    </div>
  );
}
