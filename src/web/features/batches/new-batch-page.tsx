import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { modelsQuery, tasksQuery } from '#web/api/queries/catalog.ts';
import { RequireSession } from '#web/api/session/require-session.tsx';
import { Page } from '#web/ui/page.tsx';
import { Loading, Skeleton } from '#web/ui/display/skeleton.tsx';
import { BackLink } from '#web/ui/back-link.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';

const NewBatchForm = lazyComponent(async () => (await import('./new-batch-form.tsx')).NewBatchForm);

const route = getRouteApi('/batches/new');

export function NewBatchPage() {
  return (
    <Page
      title="New batch"
      width="full"
      above={<BackLink to="/batches">All batches</BackLink>}
      intro="Many orders at once: check each one and the total first, then start."
    >
      <RequireSession to="start batches" permission="work.create">
        <NewBatchView />
      </RequireSession>
    </Page>
  );
}

function NewBatchView() {
  const search = route.useSearch();
  const tasks = useQuery(tasksQuery);
  const models = useQuery(modelsQuery);
  // The draft must not change because the catalog arrives; without one, everything counts as available.
  useEffect(() => NewBatchForm.preload(), []);
  if (tasks.isPending || models.isPending) return <NewBatchSkeleton />;
  return (
    <NewBatchForm
      search={search}
      catalog={{ tasks: tasks.data, models: models.data }}
      fallback={<NewBatchSkeleton />}
    />
  );
}

const NewBatchSkeleton = () => (
  <Loading label="Loading the form" className="grid gap-8 lg:grid-cols-[minmax(24rem,30rem)_minmax(0,1fr)]">
    <Skeleton className="h-96 rounded-md" />
    <Skeleton className="h-64 rounded-md" />
  </Loading>
);
