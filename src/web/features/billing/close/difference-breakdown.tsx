import { useId } from 'react';
import type { FindingKind } from '#contract/resources/closing-finding.ts';
import type { CloseRow } from '#contract/resources/closing.ts';
import { Money } from '#web/api/money.tsx';
import { formatNumber } from '#web/ui/formats.ts';
import { KIND_LABELS } from './close-search.ts';
import { KIND_SENTENCES } from './finding-labels.ts';

const PARTS = [
  { id: 'equal', name: 'Equal', background: 'var(--series-3)' },
  { id: 'explained', name: 'Explained', background: 'var(--series-2)' },
  { id: 'open', name: 'Open', background: 'var(--series-1)' },
] as const;

interface DifferenceBreakdownProps {
  row: CloseRow;
  kind: FindingKind | undefined;
  onChange: (kind: FindingKind | undefined) => void;
}

/** What a difference is made of: how far it is explained, and by kind, which filters the list below. */
export function DifferenceBreakdown({ row, kind, onChange }: DifferenceBreakdownProps) {
  const { findings, explained_usd, open_usd, open_count, difference_usd } = row;
  const sumOf = (list: CloseRow['findings']) => list.reduce((sum, { finding_count }) => sum + finding_count, 0);
  const total = sumOf(findings);
  const equal = sumOf(findings.filter((each) => each.kind === 'equal'));
  const counts = { equal, explained: total - equal - open_count, open: open_count };
  const amounts = { equal: null, explained: explained_usd, open: open_usd };
  const shown = PARTS.filter(({ id }) => counts[id] > 0);
  return (
    <section aria-label="What the difference is made of" className="flex flex-col gap-3">
      <div aria-hidden="true" className="flex h-3 gap-px overflow-hidden rounded-sm">
        {shown.map(({ id, background }) => (
          <span key={id} data-series="" style={{ background, flexGrow: counts[id] }} className="min-w-1.5 basis-0" />
        ))}
      </div>
      <ul className="flex flex-wrap gap-x-5 gap-y-1 text-sm text-ink-2">
        {shown.map(({ id, name, background }) => (
          <li key={id} className="flex items-center gap-1.5">
            <span aria-hidden="true" data-series="" style={{ background }} className="size-2.5 flex-none rounded-xs" />
            {name} <span className="tabular-nums">{formatNumber(counts[id])}</span>
            {amounts[id] === null ? null : <Money signed amount_usd={amounts[id]} className="font-medium text-ink" />}
          </li>
        ))}
      </ul>
      <KindFilter
        kinds={findings}
        total={{ count: total, amount_usd: difference_usd ?? '0.00' }}
        {...{ kind, onChange }}
      />
    </section>
  );
}

interface KindFilterProps extends Omit<DifferenceBreakdownProps, 'row'> {
  kinds: CloseRow['findings'];
  total: { count: number; amount_usd: string };
}

const card =
  'relative flex flex-col rounded-md border border-line px-3 py-2 transition-colors select-none hover:bg-hover has-checked:border-ink has-checked:bg-press has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus';

/** One choice for each kind, with its number and its amount: they add up to the difference. */
function KindFilter({ kinds, total, kind, onChange }: KindFilterProps) {
  const name = useId();
  const byKind = new Map(kinds.map((sums) => [sums.kind, sums]));
  const options = [
    { id: undefined, label: 'All', hint: undefined, openCount: 0, ...total },
    ...(Object.keys(KIND_LABELS) as FindingKind[]).flatMap((id) => {
      const sums = byKind.get(id);
      if (!sums && id !== kind) return [];
      const { finding_count: count = 0, amount_usd = '0.00', open_count: openCount = 0 } = sums ?? {};
      return [{ id, label: KIND_LABELS[id], hint: KIND_SENTENCES[id], count, amount_usd, openCount }];
    }),
  ];
  return (
    <div role="radiogroup" aria-label="Kind" className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
      {options.map(({ id, label, hint, count, amount_usd, openCount }) => (
        <label key={id ?? 'all'} data-tooltip={hint} className={card}>
          <input
            type="radio"
            name={name}
            checked={id === kind}
            onChange={() => onChange(id)}
            className="absolute inset-0 appearance-none rounded-md outline-none"
          />
          <span className="text-sm font-medium">
            {label} <span className="font-normal text-ink-2 tabular-nums">{formatNumber(count)}</span>
          </span>
          <span className="text-xs text-ink-2">
            <Money signed amount_usd={amount_usd} />
            {openCount > 0 ? ` · ${formatNumber(openCount)} open` : null}
          </span>
        </label>
      ))}
    </div>
  );
}
