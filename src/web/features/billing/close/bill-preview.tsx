import { formatMoney } from '#contract/money/money.ts';
import type { ProviderBillPreview } from '#contract/resources/provider-bill.ts';
import { Callout } from '#web/ui/display/callout.tsx';
import { formatNumber } from '#web/ui/formats.ts';
import { CATEGORY_LABELS, lineName } from './bill-details.tsx';

/** The first lines of a file, its sum, and why it can't be stored. */
export function BillPreview({ preview }: { preview: ProviderBillPreview }) {
  const { lines, line_count, amount, amount_usd, currency, sum_row_count, problem } = preview;
  const facts = [
    `${formatNumber(line_count)} ${line_count === 1 ? 'line' : 'lines'}`,
    ...(amount !== null && currency !== 'USD' ? [`${amount} ${currency ?? ''}`] : []),
    ...(amount_usd === null ? [] : [formatMoney(amount_usd)]),
    ...(sum_row_count > 0 ? [sum_row_count === 1 ? 'a sum is left out' : `${sum_row_count} sums are left out`] : []),
  ];
  return (
    <div className="flex flex-col gap-3">
      {problem === null ? null : <Callout tone="bad">{problem}</Callout>}
      {lines.length > 0 ? (
        <>
          {amount === null ? null : <p className="text-sm font-medium tabular-nums">{facts.join(' · ')}</p>}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboards must be able to scroll a wide table */}
          <section className="relative overflow-x-auto" tabIndex={0} aria-label="First lines">
            <table className="w-full text-xs tabular-nums">
              <thead className="text-ink-3">
                <tr>
                  {['Day', 'Service', 'Kind', 'Amount'].map((name) => (
                    <th key={name} scope="col" className="py-1 pr-3 text-left font-medium last:pr-0 last:text-right">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody className="divide-y divide-line">
                {lines.map((line) => (
                  <tr key={line.row}>
                    <td className="py-1 pr-3 whitespace-nowrap">{line.charged_at.slice(0, 10)}</td>
                    <td className="max-w-64 truncate py-1 pr-3">{lineName(line)}</td>
                    <td className="py-1 pr-3 whitespace-nowrap">
                      {line.is_correction ? 'Correction' : CATEGORY_LABELS[line.category]}
                    </td>
                    <td className="py-1 text-right whitespace-nowrap">
                      {line.amount} {currency}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        </>
      ) : null}
    </div>
  );
}
