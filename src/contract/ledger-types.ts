/** Spec: Query parameters */
export const LEDGER_TYPES = ['TOP_UP', 'RESERVE', 'RELEASE', 'SETTLE', 'ADJUSTMENT', 'REFUND', 'ADMIN_CREDIT'] as const;
export type LedgerType = (typeof LEDGER_TYPES)[number];
