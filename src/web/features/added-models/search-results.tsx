import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ModelProvider } from '#contract/resources/added-model.ts';
import { providerModelsQuery } from '#web/api/queries/added-models.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { ErrorText } from '#web/ui/controls/field.tsx';
import { Refreshing } from '#web/ui/display/refreshing.tsx';
import { Skeleton } from '#web/ui/display/skeleton.tsx';
import { useDebounced } from '#web/ui/hooks/use-debounced.ts';

const SEARCH_AFTER_MS = 400;
const MIN_LETTERS = 2;

interface SearchResultsProps {
  provider: ModelProvider;
  text: string;
  onChoose: (address: string) => void;
}

/** Models of a provider that match what is typed. */
export function SearchResults({ provider, text, onChoose }: SearchResultsProps) {
  const q = useDebounced(text, SEARCH_AFTER_MS);
  const enabled = q.length >= MIN_LETTERS;
  const search = useQuery({ ...providerModelsQuery(provider.id, q), enabled });
  if (!enabled)
    return (
      <SearchNote>
        Keep typing to search the models of <bdi>{provider.name}</bdi>.
      </SearchNote>
    );
  if (search.error)
    return (
      <div role="alert" className="flex flex-wrap items-center gap-3">
        <ErrorText>{search.error.message}</ErrorText>
        <Button size="sm" onClick={() => void search.refetch()}>
          Try again
        </Button>
      </div>
    );
  if (!search.data)
    return (
      <div aria-busy="true" className="flex flex-col gap-2">
        <output className="sr-only">Searching</output>
        {[0, 1, 2].map((row) => (
          <Skeleton key={row} className="h-13 w-full rounded-md" />
        ))}
      </div>
    );
  if (search.data.length === 0)
    return (
      <SearchNote>{`${provider.name} has no model that matches “${q}”. Paste the model’s address instead.`}</SearchNote>
    );
  return (
    <Refreshing active={search.isPlaceholderData || q !== text}>
      <output className="sr-only">{`${search.data.length} models found`}</output>
      <ul
        aria-label="Matching models"
        className="max-h-96 divide-y divide-line overflow-y-auto rounded-md border border-line"
      >
        {search.data.map(({ provider_model, name, description, category }) => (
          <li key={provider_model}>
            <button
              type="button"
              className="flex w-full flex-col gap-0.5 px-3 py-2 text-left -outline-offset-2 hover:bg-hover"
              onClick={() => onChoose(provider_model)}
            >
              <span className="flex w-full flex-wrap items-baseline gap-x-2">
                <span className="font-medium">{name}</span>
                <span className="font-mono text-xs wrap-anywhere text-ink-3">{provider_model}</span>
                {category ? <span className="ml-auto text-xs text-ink-3">{category}</span> : null}
              </span>
              {description ? <span className="line-clamp-2 text-sm text-ink-2">{description}</span> : null}
            </button>
          </li>
        ))}
      </ul>
    </Refreshing>
  );
}

const SearchNote = ({ children }: { children: ReactNode }) => (
  <output className="text-sm text-ink-3">{children}</output>
);
