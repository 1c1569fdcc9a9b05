import { ENGINE_LABELS } from '#web/forms/engine-labels.ts';
import { Badge } from '#web/ui/badge.tsx';
import { AcceptedInputs } from './accepted-inputs.tsx';
import { OfferLine } from './offer-line.tsx';
import type { Offer } from './offers.ts';

/** A task that needs no model. */
export function ToolCard({ offer }: { offer: Offer }) {
  return (
    <article aria-label={offer.name} className="min-w-0 rounded-md border border-line bg-surface px-4 py-3.5">
      <div className="flex flex-wrap items-center gap-x-2.5">
        <h3 className="font-semibold">{offer.name}</h3>
        {offer.engine ? <Badge>{ENGINE_LABELS[offer.engine].label}</Badge> : null}
        {offer.available ? null : <Badge tone="amber">Switched off</Badge>}
      </div>
      <p className="mt-0.5 text-sm text-ink-3">{offer.description}</p>
      <div className="mt-2 mb-1.5">
        <OfferLine offer={offer} title="Use it" isAvailable={offer.available} />
      </div>
      <AcceptedInputs offers={[offer]} />
    </article>
  );
}
