import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { isModelId } from '#contract/catalog.ts';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import type { UsualDuration } from '#contract/resources/activity.ts';
import { usualDurationsQuery } from '#web/api/queries/catalog.ts';
import { createStoredList } from '#web/api/stored-list.ts';
import { useSession } from '#web/api/session/session.ts';
import { readLastModels } from '#web/api/last-model.ts';
import { modelDescription } from '#web/api/model-names.ts';
import { apiQuery } from '#web/api/api-query.ts';
import type { Model } from '#contract/resources/catalog.ts';
import { BEST_FOR } from '#web/forms/models/best-for.ts';
import type { InputForm } from '#web/forms/values/input-form.ts';
import { loadedValidator, onValidatorLoad, preloadValidator } from '#web/forms/values/validator.ts';
import { type CatalogAvailability, findTaskEngine } from '#web/features/create/create-selection.ts';
import { formPrice } from '#web/features/create/price/form-price.ts';
import { ModelGalleryCard } from './model-gallery-card.tsx';
import { modelUnitPrice } from '#web/features/create/price/unit-price.ts';
import { usePrices } from '#web/features/create/price/use-prices.ts';

const favoriteModels = createStoredList('emulsion.favorite-models');

const SAMPLE_CANDIDATES = 10;

/** The last file that a model made for a task, by its provider or as a preview; null: none is left. */
const modelSampleQuery = (task: TaskId, model: AnyModelId, engine: Model['engine']) =>
  apiQuery(
    'list_generations',
    { query: { task, model, status: 'succeeded', limit: SAMPLE_CANDIDATES } },
    {
      read: ({ data }) =>
        data
          .filter(({ output }) => (output.data?.['engine'] === 'preview') === (engine === 'preview'))
          .flatMap(({ output }) => output.assets)
          .find(({ removed_at }) => !removed_at) ?? null,
      staleTime: 60_000,
      retry: false,
      version: 'sample',
    },
  );

export interface ModelGalleryProps {
  task: TaskId;
  model: AnyModelId;
  choices: readonly AnyModelId[];
  catalog: CatalogAvailability;
  form: InputForm;
  onChoose: (model: AnyModelId) => void;
}

/** Shows what each model of a task made last, what it is best for, and what the values of the form cost on it. */
export function ModelGallery({ task, model, choices, catalog, form, onChoose }: ModelGalleryProps) {
  const signedIn = useSession() === 'signed_in';
  const { data: durations } = useQuery({ ...usualDurationsQuery, enabled: signedIn });
  const prices = usePrices();
  const validate = useSyncExternalStore(onValidatorLoad, loadedValidator);
  useEffect(preloadValidator, []);
  const favorites = favoriteModels.useItems();
  // The cards stay where they are while someone stars them.
  const [first] = useState(() => [...favorites, ...readLastModels(task)]);
  const rank = (id: AnyModelId) => (first.includes(id) ? first.indexOf(id) : first.length);
  const sorted = choices.toSorted((a, b) => rank(a) - rank(b));
  const samples = useQueries({
    queries: sorted.map((id) => ({
      ...modelSampleQuery(task, id, findTaskEngine(task, id, catalog) ?? 'upstream'),
      enabled: signedIn,
    })),
  });
  const quotes = useMemo(
    () => new Map(choices.map((id) => [id, formPrice(prices, task, id, catalog, form, validate)])),
    [choices, prices, task, catalog, form, validate],
  );
  const describe = (id: AnyModelId) => {
    const text = modelDescription(id, catalog.models);
    // A server describes all of its models in the same words.
    const isShared = choices.some((other) => other !== id && modelDescription(other, catalog.models) === text);
    return text === undefined || isShared ? ((isModelId(id) ? BEST_FOR[id] : text) ?? '') : text;
  };
  const previews = choices.filter((id) => findTaskEngine(task, id, catalog) === 'preview');
  return (
    <>
      <ul className="grid gap-1.5 sm:grid-cols-2">
        {sorted.map((id, at) => (
          <ModelGalleryCard
            key={id}
            task={task}
            model={id}
            catalog={catalog}
            isCurrent={id === model}
            isFavorite={favorites.includes(id)}
            isMarkedPreview={previews.includes(id) && previews.length < choices.length}
            sample={samples[at]?.data ?? null}
            description={describe(id)}
            formPrice={quotes.get(id) ?? null}
            unitPrice={modelUnitPrice(prices, task, id).price}
            usual_seconds={findUsualSeconds(durations, task, id, findTaskEngine(task, id, catalog))}
            onStar={() => favoriteModels.toggle(id)}
            onChoose={onChoose}
          />
        ))}
      </ul>
      <p className="flex flex-wrap justify-between gap-x-4 px-1.5 pt-2 pb-1 text-sm text-ink-3">
        <span>
          {previews.length > 0 ? 'Previews are examples drawn on this machine, not made by an AI model.' : null}
        </span>
        <Link to="/models" className="text-ink-2 underline underline-offset-2 hover:text-ink">
          Models & prices
        </Link>
      </p>
    </>
  );
}

/** null: the organization has hardly used the model. */
const findUsualSeconds = (
  durations: readonly UsualDuration[] | undefined,
  task: TaskId,
  model: AnyModelId,
  engine: UsualDuration['engine'] | undefined,
): number | null =>
  durations?.find((each) => each.task === task && each.model === model && each.engine === engine)?.seconds ?? null;
