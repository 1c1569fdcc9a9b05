import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { ModelId, TaskId } from '#contract/ids.ts';
import { findPrice } from '#contract/pricing.ts';
import type { UsualDuration } from '#contract/resources/activity.ts';
import { usualDurationsQuery } from '#web/api/queries/catalog.ts';
import { useSession } from '#web/api/session/session.ts';
import { taskName } from '#web/api/model-names.ts';
import { effectiveContract } from '#web/forms/effective-contract.ts';
import type { InputForm } from '#web/forms/input-form.ts';
import { MAX_HIGHLIGHTS, modelHighlights } from '#web/forms/model-highlights.ts';
import { supportedContract } from '#web/forms/supported-contract.ts';
import { loadedValidator, onValidatorLoad, preloadValidator } from '#web/forms/validator.ts';
import { type CatalogAvailability, findTaskEngine } from './create-selection.ts';
import { useFavoriteModels } from './favorite-models.ts';
import { formPrice } from './form-price.ts';
import { ModelGalleryCard } from './model-gallery-card.tsx';
import { usePrices } from './use-prices.ts';

export interface ModelGalleryProps {
  task: TaskId;
  model: ModelId;
  choices: readonly ModelId[];
  catalog: CatalogAvailability;
  form: InputForm;
  onChoose: (model: ModelId) => void;
}

/** Shows what each model of a task is good at, and what the values of the form cost on it. */
export function ModelGallery({ task, model, choices, catalog, form, onChoose }: ModelGalleryProps) {
  const signedIn = useSession() === 'signed_in';
  const { data: durations } = useQuery({ ...usualDurationsQuery, enabled: signedIn });
  const prices = usePrices();
  const validate = useSyncExternalStore(onValidatorLoad, loadedValidator);
  useEffect(preloadValidator, []);
  const favorites = useFavoriteModels();
  // The cards stay where they are while someone stars them.
  const [favoritesAtOpening] = useState(favorites);
  const isFavorite = (id: ModelId) => favoritesAtOpening.includes(id);
  const sorted = [...choices.filter(isFavorite), ...choices.filter((id) => !isFavorite(id))];
  const compared = useMemo(
    () =>
      choices.flatMap((id) => {
        const contract = effectiveContract(task, id, catalog.models);
        const price = prices ? findPrice(prices, task, id) : undefined;
        return contract ? [{ model: id, contract: supportedContract(contract), price }] : [];
      }),
    [task, choices, catalog.models, prices],
  );
  const quotes = useMemo(
    () => new Map(choices.map((id) => [id, formPrice(prices, task, id, catalog, form, validate)])),
    [choices, prices, task, catalog, form, validate],
  );
  const hasPreviews = choices.some((id) => findTaskEngine(task, id, catalog) === 'preview');
  return (
    <>
      <ul className="grid gap-1.5 sm:grid-cols-2">
        {sorted.map((id) => (
          <ModelGalleryCard
            key={id}
            task={task}
            model={id}
            catalog={catalog}
            isCurrent={id === model}
            isFavorite={favorites.includes(id)}
            formPrice={quotes.get(id) ?? null}
            price={compared.find((each) => each.model === id)?.price}
            highlights={modelHighlights(task, id, compared, taskName(task, catalog.tasks)).slice(0, MAX_HIGHLIGHTS)}
            usual_seconds={findUsualSeconds(durations, task, id, findTaskEngine(task, id, catalog))}
            onChoose={onChoose}
          />
        ))}
      </ul>
      {hasPreviews ? (
        <p className="px-1.5 pt-2 pb-1 text-sm text-ink-3">
          Preview results are examples drawn on this machine, not made by an AI model.
        </p>
      ) : null}
    </>
  );
}

/** null: the organization has hardly used the model. */
const findUsualSeconds = (
  durations: readonly UsualDuration[] | undefined,
  task: TaskId,
  model: ModelId,
  engine: UsualDuration['engine'] | undefined,
): number | null =>
  durations?.find((each) => each.task === task && each.model === model && each.engine === engine)?.seconds ?? null;
