import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Boxes, Plus } from 'lucide-react';
import { formatMoney } from '#contract/money/money.ts';
import type { AddedModelSummary } from '#contract/resources/added-model.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { addedModelsQuery, modelProvidersQuery } from '#web/api/queries/added-models.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { BackLink } from '#web/ui/back-link.tsx';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { useCommands } from '#web/ui/hooks/commands.ts';
import { Disclosure } from '#web/ui/controls/disclosure.tsx';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { Page } from '#web/ui/page.tsx';
import { FramedSkeletonRows, Skeleton } from '#web/ui/display/skeleton.tsx';
import { describeAudience } from './audience.ts';
import { ModelStateBadges } from './model-state.tsx';
import { NoProviders } from './no-providers.tsx';
import { RequireModelAdmin } from './require-model-admin.tsx';

/** Models of connected providers that an administrator added by their schema. */
export function AddedModelsPage() {
  const canManage = useCan('models.manage');
  const { data: models } = useQuery({ ...addedModelsQuery, enabled: false });
  const hasModels = models?.some(({ state }) => state !== 'removed');
  const navigate = useNavigate();
  const add = () => void navigate({ to: '/added-models/new' });
  useCommands(canManage ? [{ group: 'Models', label: 'Add a model…', icon: Plus, keys: 'n', run: add }] : []);
  return (
    <Page
      title="Added models"
      intro="Models of your providers that you added to those of this service."
      above={<BackLink to="/models">Models & prices</BackLink>}
      // An empty page has the link in its middle.
      actions={hasModels ? <AddLink /> : undefined}
    >
      <RequireModelAdmin query={addedModelsQuery} what="Your added models" skeleton={<ListSkeleton />}>
        {(models) => <ModelLists models={models} />}
      </RequireModelAdmin>
    </Page>
  );
}

const AddLink = () => (
  <Link to="/added-models/new" className={buttonClass({ variant: 'primary' })}>
    <Plus aria-hidden="true" className="size-4" />
    Add a model
  </Link>
);

const ListSkeleton = () => (
  <FramedSkeletonRows label="Loading added models" rows={3} className="flex h-19 items-center gap-4">
    <span className="flex-1">
      <Skeleton className="h-4 w-56 max-w-full" />
      <Skeleton className="mt-2 h-3 w-72 max-w-full" />
    </span>
    <Skeleton className="h-4 w-24" />
  </FramedSkeletonRows>
);

function ModelLists({ models }: { models: readonly AddedModelSummary[] }) {
  const providers = useQuery(modelProvidersQuery);
  const current = models.filter(({ state }) => state !== 'removed');
  const removed = models.filter(({ state }) => state === 'removed');
  return (
    <div className="flex flex-col gap-6">
      {current.length > 0 ? (
        <ModelList label="Added models" models={current} />
      ) : providers.data?.length === 0 ? (
        <NoProviders />
      ) : (
        <EmptyState icon={<Boxes aria-hidden="true" />} title="No added models yet" actions={<AddLink />}>
          Add any model of a connected provider by its address: its form, price and charges work like those of the
          built-in models.
        </EmptyState>
      )}
      {removed.length > 0 ? (
        <Disclosure summary={`Removed (${removed.length})`}>
          <ModelList label="Removed models" models={removed} />
        </Disclosure>
      ) : null}
    </div>
  );
}

function ModelList({ label, models }: { label: string; models: readonly AddedModelSummary[] }) {
  return (
    <ul aria-label={label} className="divide-y divide-line overflow-hidden rounded-md border border-line bg-surface">
      {models.map((model) => (
        <ModelRow key={model.id} model={model} />
      ))}
    </ul>
  );
}

function ModelRow({ model }: { model: AddedModelSummary }) {
  const names = useCatalogNames();
  const { data: providers } = useQuery(modelProvidersQuery);
  const { id, name, task, provider, provider_id, provider_model, state, paused_reason, audience, bound_usd } = model;
  const providerName = providers?.find((each) => each.id === provider_id)?.name ?? provider;
  return (
    <li className="relative grid gap-x-6 gap-y-1 px-4 py-3 transition-colors hover:bg-hover md:grid-cols-[minmax(0,1fr)_auto] md:items-center">
      <div className="min-w-0">
        <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <Link
            to="/added-models/$modelId"
            params={{ modelId: id }}
            className="min-w-0 font-medium wrap-anywhere outline-none after:absolute after:inset-0 after:-outline-offset-2 focus-visible:after:outline-2 focus-visible:after:outline-focus"
          >
            {name}
          </Link>
          <ModelStateBadges {...model} />
        </p>
        <p className="mt-0.5 text-sm wrap-anywhere text-ink-2">
          <bdi>{names.task(task)}</bdi> · <bdi>{providerName}</bdi> <bdi className="text-ink-3">{provider_model}</bdi>
        </p>
        {paused_reason ? <p className="mt-0.5 text-sm text-amber-text">{paused_reason}</p> : null}
      </div>
      <p className="text-sm text-ink-3 tabular-nums md:text-right">
        <span className="block">
          At most <span className="font-medium text-ink">{formatMoney(bound_usd)}</span> per run
        </span>
        {state === 'published' ? <span className="block">{describeAudience(audience)}</span> : null}
      </p>
    </li>
  );
}
