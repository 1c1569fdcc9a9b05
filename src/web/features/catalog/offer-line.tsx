import { Link } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import { formatMultipliers } from '#contract/money/multipliers.ts';
import { type Offer, hasMinimum, isFree, type CatalogPrice, unitLabel } from './offers.ts';
import { ENGINE_LABELS } from '#web/forms/models/engine-labels.ts';
import { useCannot } from '#web/api/queries/permissions.ts';
import { createPageLink } from '#web/api/create-page-link.ts';
import { isPricedByMinimum } from '#web/forms/money/price-lines.ts';
import { Money } from '#web/api/money.tsx';

interface OfferLineProps {
  offer: Offer;
  title: string;
  isAvailable: boolean;
  /** Shown if the card itself does not say that it is disabled. */
  unavailableLabel?: string | undefined;
  /** Shown if the offers of a model run on different engines. */
  engine?: Offer['engine'];
}

export function OfferLine({ offer, title, isAvailable, unavailableLabel, engine }: OfferLineProps) {
  const { task, model, price } = offer;
  const isForbidden = useCannot('work.create');
  const isLinked = isAvailable && !isForbidden;
  return (
    <div className="group/offer relative -mx-2 flex min-h-12 items-center gap-3 rounded-sm px-2 py-1.5 transition-colors has-[a]:hover:bg-hover">
      <span className="min-w-0 flex-1">
        {isLinked ? (
          <Link {...createPageLink(task, model)} className="after:absolute after:inset-0">
            {title}
          </Link>
        ) : (
          <span className={isAvailable ? undefined : 'text-ink-3'}>
            {title}
            {unavailableLabel ? <span className="text-xs"> ({unavailableLabel})</span> : null}
          </span>
        )}
        {engine ? (
          <span className="block text-xs text-ink-3">
            {ENGINE_LABELS[engine].label}: {lowerFirst(ENGINE_LABELS[engine].description)}
          </span>
        ) : null}
        {[...(price?.note ? [price.note] : []), ...formatMultipliers(price?.multipliers, offer.contract)].map(
          (note) => (
            <span key={note} className="block text-xs text-ink-3 tabular-nums">
              {note}
            </span>
          ),
        )}
      </span>
      {offer.addedPrice ? (
        <span className="text-right">
          <span className="font-medium">{offer.addedPrice.text}</span>
          <span className="block text-xs text-ink-3">
            at most <Money amount_usd={offer.addedPrice.bound_usd} /> per run
          </span>
        </span>
      ) : (
        <OfferPrice price={price} />
      )}
      <ArrowRight
        aria-hidden="true"
        className={
          isLinked
            ? 'size-4 flex-none text-ink-3 transition-transform group-hover/offer:translate-x-0.5 group-hover/offer:text-ink'
            : 'invisible size-4'
        }
      />
    </div>
  );
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

function OfferPrice({ price }: { price: CatalogPrice | undefined }) {
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
      {Number(price.minimum_usd) > 0 && Number(price.minimum_usd) < Number(price.unit_price_usd) ? (
        <span className="block text-xs text-ink-3">
          from <Money amount_usd={price.minimum_usd} />
        </span>
      ) : null}
    </span>
  );
}
