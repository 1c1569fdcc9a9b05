import { useCatalogNames } from '#web/api/catalog-names.ts';
import { AvailableFunds } from '#web/budgets/available-funds.tsx';
import { priceLines } from '#web/forms/price-lines.ts';
import { Money } from '#web/api/money.tsx';
import { priceBasisMessage, scaleQuote } from './quote.ts';
import type { LiveQuote } from './use-quote.ts';

interface PriceBreakdownProps {
  live: LiveQuote;
  /** Number of variations. */
  count: number;
  signedIn: boolean;
}

export function PriceBreakdown({ live, count, signedIn }: PriceBreakdownProps) {
  const names = useCatalogNames();
  const { quote, isUnconfirmed } = live;
  if (!quote) return null;
  const basisMessage = priceBasisMessage(quote);
  return (
    <div className="mt-1 rounded-md border border-line bg-surface p-3 text-sm">
      <table className="w-full tabular-nums">
        <tbody>
          {priceLines(quote, names).map(({ label, formula, amount_usd }) => (
            <tr key={`${label}${formula}`}>
              <th scope="row" className="py-0.5 pr-3 text-left font-normal wrap-anywhere">
                <bdi>{label}</bdi> <span className="text-ink-3">{formula}</span>
              </th>
              <td className="py-0.5 text-right">
                <Money amount_usd={amount_usd} />
              </td>
            </tr>
          ))}
          {count > 1 ? (
            <tr>
              <th scope="row" className="py-0.5 pr-3 text-left font-normal">
                {count} variations
              </th>
              <td className="py-0.5 text-right">× {count}</td>
            </tr>
          ) : null}
        </tbody>
        <tfoot>
          <tr className="font-semibold">
            <th scope="row" className="border-t border-line pt-1.5 text-left font-semibold">
              {quote.basis === 'exact' ? 'Total' : quote.basis === 'upper_bound' ? 'At most' : 'At least'}
            </th>
            <td className="border-t border-line pt-1.5 text-right">
              <Money amount_usd={scaleQuote(quote, count).amount_usd} />
            </td>
          </tr>
        </tfoot>
      </table>
      {basisMessage ? <p className="mt-2 text-ink-2">{basisMessage}</p> : null}
      {isUnconfirmed ? (
        <p className="mt-2 text-ink-2">The service did not respond. This is the published price.</p>
      ) : null}
      {signedIn ? <AvailableFunds /> : null}
    </div>
  );
}
