import { formatMoney } from '#contract/money/money.ts';
import type { LedgerEntry, LedgerLine } from '#contract/resources/ledger.ts';
import type { Tone } from '#web/ui/display/badge.tsx';
import { LEDGER_TYPE_LABELS, LINE_STATUS_LABELS } from './ledger-type-labels.ts';

export type LedgerRow = LedgerEntry | LedgerLine;

interface RowDescription {
  kind: { label: string; sentence: string; tone: Tone };
  /** The prompt, or why money was moved. */
  title: string;
  /** Task and model, or the reason of a refund. */
  detail: string;
  number: string;
  who: string;
  tags: string;
  /** What the last column shows: funds after an entry, or the numbers of a line's entries. */
  afterUsd: string | null;
}

export const isLine = (row: LedgerRow): row is LedgerLine => row.object === 'ledger_line';

/** The entry that a row opens: of a line its last, which decided its status. */
export const entryIdOf = (row: LedgerRow): string => (isLine(row) ? row.last_entry_id : row.id);

/** Lists the entries: a range would claim those of others in between. */
const formatEntryNumbers = ({ seqs, entry_count }: LedgerLine): string => {
  const rest = entry_count - seqs.length;
  return `${seqs.map((seq) => `#${seq}`).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
};

export function describeRow(row: LedgerRow): RowDescription {
  const tags = Object.values(row.tags ?? {}).join(' · ');
  const { prompt = null, description } = row;
  if (isLine(row)) {
    return {
      kind: LINE_STATUS_LABELS[row.status],
      title: prompt ?? description,
      detail: [prompt === null ? '' : description, describeRefund(row)].filter(Boolean).join(' · '),
      number: formatEntryNumbers(row),
      who: whoOf(row),
      tags,
      afterUsd: null,
    };
  }
  // What people wrote says more than the prompt, which all entries of a generation share.
  const title = row.type === 'REFUND' ? description : (prompt ?? description);
  return {
    kind: LEDGER_TYPE_LABELS[row.type],
    title,
    detail: title === description ? (row.type === 'REFUND' ? (prompt ?? '') : '') : description,
    number: row.seq === undefined ? '' : `#${row.seq}`,
    who: whoOf(row),
    tags,
    afterUsd: row.available_after_usd,
  };
}

const describeRefund = ({ status, refunded_usd, reason }: LedgerLine): string =>
  status === 'refunded' || status === 'partly_refunded'
    ? `${formatMoney(refunded_usd)} refunded${reason === null ? '' : `: ${reason}`}`
    : '';

/** Whose work is charged: the person or else the key, and the key that made the entry if it is another one. */
function whoOf({ person, key = null, created_by }: Pick<LedgerRow, 'person' | 'key' | 'created_by'>): string {
  const author = key && created_by && created_by.id !== key.id ? `, by ${created_by.name}` : '';
  return `${(person ?? key ?? created_by)?.name ?? ''}${author}`;
}
