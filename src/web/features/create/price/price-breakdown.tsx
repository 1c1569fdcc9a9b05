import { useCatalogNames } from '#web/api/catalog-names.ts';
import { AvailableFunds } from '#web/budgets/available-funds.tsx';
import { LineItems } from '#web/collections/line-items.tsx';
import { TOTAL_LABELS, priceLines } from '#web/forms/money/price-lines.ts';
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
      <LineItems
        columns={['For', 'Amount']}
        hasHeadings={false}
        items={[
          ...priceLines(quote, names).map(({ label, formula, amount_usd }) => ({
            id: `${label}${formula}`,
            name: (
              <>
                <bdi>{label}</bdi> <span className="text-ink-3">{formula}</span>
              </>
            ),
            amounts: [<Money key="amount" amount_usd={amount_usd} />],
          })),
          ...(count > 1 ? [{ id: 'count', name: `${count} variations`, amounts: [`× ${count}`] }] : []),
        ]}
        total={{
          name: TOTAL_LABELS[quote.basis],
          amounts: [<Money key="total" amount_usd={scaleQuote(quote, count).amount_usd} />],
        }}
      />
      {basisMessage ? <p className="mt-2 text-ink-2">{basisMessage}</p> : null}
      {isUnconfirmed ? (
        <p className="mt-2 text-ink-2">The service did not respond. This is the published price.</p>
      ) : null}
      {signedIn ? <AvailableFunds /> : null}
    </div>
  );
}
