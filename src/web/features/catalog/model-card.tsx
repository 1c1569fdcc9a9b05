import { MODEL_NAMES } from '#contract/catalog.ts';
import { formatMaker } from '#web/api/model-names.ts';
import { formatInputLimits } from '#web/forms/format-input-limits.ts';
import { ENGINE_LABELS } from '#web/forms/engine-labels.ts';
import { ModelIcon } from '#web/forms/model-icon.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { tooltipProps } from '#web/ui/tooltip-props.ts';
import { AcceptedInputs } from './accepted-inputs.tsx';
import { OfferLine } from './offer-line.tsx';
import type { ModelOffers } from './offers.ts';
import { RenameButton } from './rename-button.tsx';

export function ModelCard({ model }: { model: ModelOffers }) {
  const { name, description, display, provider, available, engine, media, offers, highlights } = model;
  const { label, description: hint } = ENGINE_LABELS[engine];
  const hasSeveralEngines = offers.some((offer) => offer.engine !== engine);
  const contract = offers[0]?.contract;
  const summary = contract ? formatInputLimits(contract) : [];
  return (
    <article aria-label={name} className="min-w-0 rounded-md border border-line bg-surface px-4 py-3.5">
      <div className="flex items-start gap-3.5">
        {contract ? <ModelIcon contract={contract} media={media} className="mt-0.5 size-14" /> : null}
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <h3 className="font-semibold">{name}</h3>
            {hasSeveralEngines ? null : (
              <span {...tooltipProps(hint)}>
                <Badge>{label}</Badge>
              </span>
            )}
            {available ? null : <Badge tone="amber">Disabled</Badge>}
          </div>
          {provider || display ? (
            <p className="mt-0.5 text-sm text-ink-3">
              {[provider ? formatMaker(provider) : '', MODEL_NAMES[model.model]].filter(Boolean).join(' · ')}
            </p>
          ) : null}
          {description === undefined ? null : <p className="mt-0.5 text-sm text-ink-2">{description}</p>}
          {highlights.length > 0 ? <p className="mt-0.5 text-sm text-ink-2">{highlights.join(' · ')}</p> : null}
          {summary.length > 0 ? <p className="mt-0.5 text-sm text-ink-3">{summary.join(' · ')}</p> : null}
        </div>
        <RenameButton id={model.model} originalName={MODEL_NAMES[model.model]} display={display} />
      </div>
      <div className="mt-2 mb-1.5 divide-y divide-line">
        {offers.map((offer) => (
          <OfferLine
            key={offer.task}
            offer={offer}
            title={offer.name}
            isAvailable={available && offer.available}
            unavailableLabel={available && !offer.available ? 'disabled' : undefined}
            engine={hasSeveralEngines ? offer.engine : undefined}
          />
        ))}
      </div>
      <AcceptedInputs offers={offers} />
    </article>
  );
}
