import { isPricedByMinimum } from '#web/forms/price-lines.ts';
import { Money } from '#web/ui/money.tsx';
import { hasMinimum, isFree, type CatalogPrice, unitLabel } from './offers.ts';

/** A price: what one unit costs, and the least that is charged. */
export function OfferPrice({ price }: { price: CatalogPrice | undefined }) {
  if (!price) return <span className="text-sm text-ink-3">No price</span>;
  if (isFree(price)) return <span className="font-medium">Free</span>;
  const byMinimum = hasMinimum(price) && isPricedByMinimum(price);
  return (
    <span className="text-right">
      <Money amount_usd={byMinimum ? price.minimum_usd : price.unit_price_usd} className="font-medium" />{' '}
      <span className="text-sm text-ink-3">{unitLabel(price)}</span>
      {hasMinimum(price) && !byMinimum ? (
        <span className="block text-xs text-ink-3">
          at least <Money amount_usd={price.minimum_usd} />
        </span>
      ) : null}
      {Number(price.minimum_usd) < Number(price.unit_price_usd) ? (
        <span className="block text-xs text-ink-3">
          from <Money amount_usd={price.minimum_usd} />
        </span>
      ) : null}
    </span>
  );
}
