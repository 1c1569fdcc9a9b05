import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Boxes } from 'lucide-react';
import type { AddedModel } from '#contract/resources/added-model.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { addedModelQuery, modelProvidersQuery } from '#web/api/queries/added-models.ts';
import { BackLink } from '#web/ui/back-link.tsx';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/display/card.tsx';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { Page } from '#web/ui/page.tsx';
import { RelativeTime } from '#web/ui/display/relative-time.tsx';
import { DescriptionList } from '#web/ui/display/section.tsx';
import { AvailabilityCard } from './cards/availability-card.tsx';
import { FormNotes, FormPreview, ProviderPageLink, TwoCardsSkeleton, useModelForm } from './form-preview.tsx';
import { ModelNotice } from './model-notice.tsx';
import { ModelStateBadges } from './model-state.tsx';
import { NameCard } from './cards/name-card.tsx';
import { PriceCard } from './price/price-card.tsx';
import { RemoveCard } from './cards/remove-card.tsx';
import { RequireModelAdmin } from './require-model-admin.tsx';
import { TestCard } from './cards/test-card.tsx';
import { UpdateButton } from './update-button.tsx';

const route = getRouteApi('/added-models/$modelId');

export function AddedModelPage() {
  const { modelId } = route.useParams();
  const { data } = useQuery({ ...addedModelQuery(modelId), enabled: false });
  return (
    <Page
      title={data?.name ?? 'Added model'}
      above={<BackLink to="/added-models">Added models</BackLink>}
      heading={
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <h1 tabIndex={-1} className="text-xl font-semibold tracking-[-0.015em] wrap-anywhere outline-none">
            {data?.name ?? 'Added model'}
          </h1>
          {data ? <ModelStateBadges {...data} /> : null}
        </div>
      }
      intro={data?.description ?? undefined}
    >
      <RequireModelAdmin
        query={addedModelQuery(modelId)}
        what="This model"
        skeleton={<TwoCardsSkeleton label="Loading the model" />}
        notFound={<UnknownModel />}
      >
        {(model) => <ModelContent key={`${model.id} ${model.version}`} model={model} />}
      </RequireModelAdmin>
    </Page>
  );
}

const UnknownModel = () => (
  <EmptyState
    icon={<Boxes aria-hidden="true" />}
    title="Model not found"
    actions={
      <Link to="/added-models" className={buttonClass()}>
        All added models
      </Link>
    }
  >
    The link is wrong, or the model belongs to another organization.
  </EmptyState>
);

function ModelContent({ model }: { model: AddedModel }) {
  const { id, contract, state } = model;
  const form = useModelForm(model, contract);
  const isRemoved = state === 'removed';
  return (
    <div className="flex flex-col gap-4">
      <ModelNotice model={model} />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-4">
          {isRemoved ? (
            <Card title="Form">
              <FormPreview form={form} name={model.name} uploadsName={id} />
            </Card>
          ) : (
            <TestCard model={model} form={form} />
          )}
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          {isRemoved ? null : <AvailabilityCard model={model} />}
          {isRemoved ? null : <NameCard model={model} />}
          <PriceCard model={model} form={form} />
          <FactsCard model={model} />
          {isRemoved ? null : <RemoveCard model={model} />}
        </div>
      </div>
    </div>
  );
}

function FactsCard({ model }: { model: AddedModel }) {
  const names = useCatalogNames();
  const { data: providers } = useQuery(modelProvidersQuery);
  const { id, task, provider, provider_id, provider_model, provider_version, page_url, version, versions } = model;
  const rows = [
    { name: 'Kind of work', value: names.task(task) },
    { name: 'Provider', value: providers?.find((each) => each.id === provider_id)?.name ?? provider },
    { name: 'Model', value: <span className="font-mono text-xs select-all">{provider_model}</span> },
    ...(provider_version
      ? [{ name: 'Its version', value: <span className="font-mono text-xs select-all">{provider_version}</span> }]
      : []),
    { name: 'ID in requests', value: <span className="font-mono text-xs select-all">{id}</span> },
    {
      name: 'Version',
      value: (
        <>
          {version} of {versions.length}, since <RelativeTime at={versions[0]?.created_at ?? model.created_at} />
        </>
      ),
    },
    { name: 'Added', value: <RelativeTime at={model.created_at} /> },
  ];
  return (
    <Card
      title="Facts"
      actions={<ProviderPageLink url={page_url} />}
      footer={model.state === 'removed' ? undefined : <UpdateButton model={model} label="Check for changes" />}
    >
      <DescriptionList rows={rows} />
      <div className="mt-3 empty:hidden">
        <FormNotes {...model} />
      </div>
    </Card>
  );
}
