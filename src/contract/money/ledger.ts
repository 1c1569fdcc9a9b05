/** Spec: Query parameters */
export const LEDGER_TYPES = ['TOP_UP', 'RESERVE', 'RELEASE', 'SETTLE', 'ADJUSTMENT', 'REFUND', 'ADMIN_CREDIT'] as const;
export type LedgerType = (typeof LEDGER_TYPES)[number];

/** What became of a charge, or which other movement of money a line is. */
export const LEDGER_LINE_STATUSES = [
  'reserved',
  'charged',
  'partly_refunded',
  'refunded',
  'released',
  'credited',
  'adjusted',
] as const;
export type LedgerLineStatus = (typeof LEDGER_LINE_STATUSES)[number];

type TagDimension = `tag:${string}`;

/** By which spending is grouped, beside the organization's tags as `tag:<name>`. */
export const SPENDING_GROUPS = ['task', 'model', 'key', 'person'] as const;
export type SpendingGroup = (typeof SPENDING_GROUPS)[number] | TagDimension;

export const PIVOT_TIMES = ['month', 'week', 'day'] as const;
export const PIVOT_DIMENSIONS = [...SPENDING_GROUPS, ...PIVOT_TIMES] as const;
export type PivotDimension = (typeof PIVOT_DIMENSIONS)[number] | TagDimension;

/** By which the margin is grouped: who ran the work is known to those who see costs. */
export const MARGIN_GROUPS = [...SPENDING_GROUPS, 'provider', ...PIVOT_TIMES] as const;
export type NamedDimension = (typeof MARGIN_GROUPS)[number];
export type MarginGroup = NamedDimension | TagDimension;
/** By which any report is grouped. */
export type ReportDimension = MarginGroup;

export const isTimeDimension = (by: ReportDimension): by is (typeof PIVOT_TIMES)[number] =>
  PIVOT_TIMES.some((time) => time === by);

/** As a filter by person: work of keys that belong to none, which are those of programs. */
export const PROGRAMS = '(none)';

/**
 * The newest entry of a ledger at some time. A copy kept elsewhere can prove later that no entry up to it has changed.
 */
export interface LedgerHead {
  seq: number;
  /** SHA-256, hex. */
  hash: string;
}

/** Formats a head as `1185:4af4…`, which `admin verify --head` accepts. */
export const formatLedgerHead = ({ seq, hash }: LedgerHead): string => `${seq}:${hash}`;

/** Parses number and hash, separated by a colon or whitespace; returns null for anything else. */
export function parseLedgerHead(text: string): LedgerHead | null {
  const [, seq, hash] = /^\s*([1-9]\d{0,14})(?:\s*:\s*|\s+)([0-9a-f]{64})\s*$/i.exec(text) ?? [];
  return seq === undefined || hash === undefined ? null : { seq: Number(seq), hash: hash.toLowerCase() };
}
