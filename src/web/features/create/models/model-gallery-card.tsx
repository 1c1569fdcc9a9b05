import { Link } from '@tanstack/react-router';
import { Check, Star } from 'lucide-react';
import { TASKS } from '#contract/catalog.ts';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import type { Asset } from '#contract/resources/generation.ts';
import { catalogName } from '#web/api/known-models.ts';
import { createPageLink } from '#web/api/create-page-link.ts';
import { findProviderModel, formatMaker, modelName } from '#web/api/model-names.ts';
import { MediaThumbnail } from '#web/media/library/media-thumbnail.tsx';
import { effectiveContract } from '#web/forms/models/effective-contract.ts';
import { ENGINE_LABELS } from '#web/forms/models/engine-labels.ts';
import { formatInputLimits } from '#web/forms/values/format-input-limits.ts';
import { ModelIcon } from '#web/forms/models/model-icon.tsx';
import { supportedContract } from '#web/forms/models/supported-contract.ts';
import { Badge } from '#web/ui/display/badge.tsx';
import { cx } from '#web/ui/cx.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { type CatalogAvailability, findTaskEngine } from '#web/features/create/create-selection.ts';

interface ModelGalleryCardProps {
  task: TaskId;
  model: AnyModelId;
  catalog: CatalogAvailability;
  isCurrent: boolean;
  isFavorite: boolean;
  /** Whether it needs a badge, because others are no previews. */
  isMarkedPreview: boolean;
  /** The last result of the model; null: there is none. */
  sample: Asset | null;
  description: string;
  /** What the form costs on the model; null while unknown. */
  formPrice: string | null;
  /** Per unit; empty while unknown. */
  unitPrice: string;
  /** null while unknown. */
  usual_seconds: number | null;
  onStar: () => void;
  onChoose: (model: AnyModelId) => void;
}

const SAMPLE_PX = 72;

export function ModelGalleryCard(props: ModelGalleryCardProps) {
  const { task, model, catalog, isCurrent, isFavorite, sample, description, onStar, onChoose } = props;
  const contract = effectiveContract(task, model, catalog.models);
  const accepted = contract && supportedContract(contract);
  const preview = findTaskEngine(task, model, catalog) === 'preview';
  const provided = preview ? undefined : findProviderModel(model, catalog.models);
  const name = modelName(model, catalog.models);
  const limits = accepted ? formatInputLimits(accepted).join(' · ') : '';
  return (
    <li className="relative">
      <Link
        {...createPageLink(task, model)}
        aria-current={isCurrent ? 'true' : undefined}
        onClick={() => onChoose(model)}
        className={cx(
          'flex h-full items-start gap-3 rounded-md border p-2.5 transition-colors hover:bg-hover focus-visible:bg-hover',
          isCurrent ? 'border-amber' : 'border-line',
        )}
      >
        <span className="flex min-w-0 flex-1 flex-col gap-0.5 self-stretch text-sm">
          <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5 pr-8">
            <bdi className="text-base font-medium">{name}</bdi>
            {isCurrent ? <Check aria-hidden="true" className="size-4 text-amber-text" /> : null}
            {props.isMarkedPreview ? (
              <Badge hint={ENGINE_LABELS.preview.description}>{ENGINE_LABELS.preview.label}</Badge>
            ) : null}
          </span>
          {provided ? (
            <span className="text-ink-3">
              {formatMaker(provided)} · {catalogName(model)}
            </span>
          ) : null}
          <span className="text-ink-2">{description}</span>
          <span className="text-ink-3">{limits}</span>
          <PriceLine {...props} />
        </span>
        {/* After the name, so that the link is called by it. */}
        {sample ? (
          <span className="relative order-first size-18 flex-none overflow-hidden rounded-sm bg-sunken">
            <MediaThumbnail medium={sample} widthPx={SAMPLE_PX} cover />
            {props.isMarkedPreview ? (
              <span className="absolute inset-x-0 bottom-0 bg-black/65 text-center text-2xs text-white">Preview</span>
            ) : null}
          </span>
        ) : accepted ? (
          <ModelIcon contract={accepted} media={TASKS[task].media_type} className="order-first size-18" />
        ) : null}
      </Link>
      <IconButton
        label={`Star ${name}`}
        pressed={isFavorite}
        size="sm"
        className="absolute top-1.5 right-1.5"
        icon={
          <Star aria-hidden="true" className={isFavorite ? 'size-4 fill-amber text-amber-text' : 'size-4 text-ink-3'} />
        }
        onClick={onStar}
      />
    </li>
  );
}

function PriceLine({
  unitPrice: unit,
  formPrice,
  usual_seconds,
}: Pick<ModelGalleryCardProps, 'unitPrice' | 'formPrice' | 'usual_seconds'>) {
  const facts = [
    // An image that costs $0.03 needs no "$0.03 per image".
    ...(unit && !`${unit} `.startsWith(`${formPrice} `) ? [unit] : []),
    ...(usual_seconds === null ? [] : [`usually ${formatSeconds(usual_seconds)}`]),
  ];
  return (
    <span className="mt-auto pt-0.5 text-ink-3 tabular-nums">
      {formPrice ? <span className="font-medium text-ink">{formPrice}</span> : null}
      {formPrice && facts.length > 0 ? ' · ' : ''}
      {facts.join(' · ') || '\u00a0'}
    </span>
  );
}

const formatSeconds = (seconds: number) =>
  seconds < 60 ? `${Math.max(1, Math.round(seconds))} s` : `${Math.round(seconds / 6) / 10} min`;
