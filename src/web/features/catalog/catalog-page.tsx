import { knownTasks } from '#web/api/known-models.ts';
import { useQueries } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { modelsQuery, pricingQuery, tasksQuery } from '#web/api/queries/catalog.ts';
import { queryError } from '#web/api/api-errors.ts';
import { AddedModelsLink } from '#web/api/added-models-link.tsx';
import { LoadError } from '#web/api/load-error.tsx';
import { Callout } from '#web/ui/display/callout.tsx';
import { NoMatches } from '#web/ui/display/empty-state.tsx';
import { Page } from '#web/ui/page.tsx';
import { SearchBox } from '#web/ui/controls/search-box.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { CatalogSections } from './catalog-sections.tsx';
import type { CatalogSearch } from './catalog-search.ts';
import { type PricedCatalog, modelOffers, taskOffers } from './offers.ts';
import { Loading, Skeleton } from '#web/ui/display/skeleton.tsx';

const CARDS = 6;

function CatalogSkeleton() {
  return (
    <Loading label="Loading models and prices">
      <Skeleton className="mb-3 h-5 w-20" />
      <span className="grid gap-3 lg:grid-cols-2 4k:grid-cols-3">
        {Array.from({ length: CARDS }, (_, card) => (
          <span key={card} className="block rounded-md border border-line bg-surface px-4 py-4">
            <span className="flex gap-3.5">
              <Skeleton className="size-14 flex-none" />
              <span className="min-w-0 flex-1">
                <Skeleton className="h-4 w-36 max-w-full" />
                <Skeleton className="mt-2 h-3.5 w-52 max-w-full" />
              </span>
            </span>
            <Skeleton className="mt-6 h-4 w-full" />
            <Skeleton className="mt-6 h-4 w-full" />
            <Skeleton className="mt-6 h-3.5 w-32" />
          </span>
        ))}
      </span>
    </Loading>
  );
}

const route = getRouteApi('/models');
const ALL = 'all';

/** The models and tools of this service with their prices. Works signed out. */
export function CatalogPage() {
  const names = useCatalogNames();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (next: CatalogSearch) => void navigate({ search: next, replace: true, resetScroll: false });
  return (
    <Page
      title="Models & prices"
      intro="Available models and tools, their inputs, and their prices in US dollars."
      actions={<AddedModelsLink />}
    >
      <search aria-label="Filter models" className="mb-6 flex flex-wrap gap-3">
        <SearchBox
          label="Search models"
          value={search.q ?? ''}
          onChange={(q) => change({ ...(search.task ? { task: search.task } : {}), ...(q ? { q } : {}) })}
          className="min-w-48 flex-1 sm:max-w-72"
        />
        <Select
          aria-label="Task"
          className="w-52 max-sm:flex-1"
          value={search.task ?? ALL}
          options={[
            { value: ALL, label: 'All tasks' },
            ...knownTasks().map((id) => ({ value: id, label: names.task(id) })),
          ]}
          onChange={(task) => change({ ...(task === ALL ? {} : { task }), ...(search.q ? { q: search.q } : {}) })}
        />
      </search>
      <Offers search={search} onClear={() => change({})} />
    </Page>
  );
}

function Offers({ search, onClear }: { search: CatalogSearch; onClear: () => void }) {
  const [tasks, models, prices] = useQueries({ queries: [tasksQuery, modelsQuery, pricingQuery] });
  const problem = queryError(tasks) ?? queryError(models) ?? queryError(prices);
  if (!tasks.data || !models.data || !prices.data) {
    if (!problem) return <CatalogSkeleton />;
    const retry = () => {
      for (const query of [tasks, models, prices]) if (query.isError) void query.refetch();
    };
    return <LoadError what="Models and prices" error={problem} onRetry={retry} />;
  }
  const catalog: PricedCatalog = { tasks: tasks.data, models: models.data, prices: prices.data };
  const matchingModels = modelOffers(catalog, search);
  const tools = taskOffers('tools', catalog, search);
  const [reason] = tasks.data.flatMap(({ unavailable_reason }) => unavailable_reason ?? []);
  if (matchingModels.length + tools.length > 0) {
    return (
      <>
        {reason ? (
          <div className="mb-6">
            <Callout tone="amber" title="Video and audio are disabled">
              {reason}
            </Callout>
          </div>
        ) : null}
        <CatalogSections models={matchingModels} tools={tools} tasks={taskOffers('model_tasks', catalog, search)} />
      </>
    );
  }
  return (
    <NoMatches action="Clear search" onClear={onClear}>
      No models or tools match this search.
    </NoMatches>
  );
}
