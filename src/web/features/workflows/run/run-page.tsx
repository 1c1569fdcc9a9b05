import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import { queryError } from '#web/api/api-errors.ts';
import { runQuery } from '#web/api/queries/workflow-runs.ts';
import { RequireSession } from '#web/api/session/require-session.tsx';
import { useSession } from '#web/api/session/session.ts';
import { cx } from '#web/ui/cx.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { BackLink } from '#web/ui/back-link.tsx';
import { NotLoaded } from '../not-loaded.tsx';
import { WorkflowRunView } from './workflow-run-view.tsx';
import { Loading, Skeleton } from '#web/ui/display/skeleton.tsx';

const route = getRouteApi('/workflows/runs/$id');

const LazyStepPanel = lazyComponent(async () => (await import('./step-panel.tsx')).StepPanel);

const frame = '@container w-full min-w-0 px-4 pt-5 pb-12 md:px-8 md:pt-8';

export function RunPage() {
  const { id } = route.useParams();
  if (useSession() !== 'signed_out') return <RunContent key={id} id={id} />;
  return (
    <div className={cx(frame, 'max-w-6xl')}>
      <BackLink to="/workflows" search={{ part: 'runs' }}>
        All runs
      </BackLink>
      <h1 className="sr-only">Run</h1>
      <RequireSession to="see this run">{null}</RequireSession>
    </div>
  );
}

function RunContent({ id }: { id: string }) {
  const query = useQuery(runQuery(id));
  const { step: key } = route.useSearch();
  const { data: run, refetch } = query;
  const problem = queryError(query);
  const open = run?.steps.find((step) => step.key === key);
  if (run)
    return (
      <div className={cx(open && 'lg:grid lg:grid-cols-[minmax(0,1fr)_clamp(22rem,30vw,38rem)]')}>
        <div className={cx(frame, !open && 'max-w-6xl')}>
          <BackLink to="/workflows" search={{ part: 'runs' }}>
            All runs
          </BackLink>
          <WorkflowRunView run={run} openKey={open?.key} problem={problem} onRetry={() => void refetch()} />
        </div>
        {open ? <OpenStepPanel run={run} step={open} /> : null}
      </div>
    );
  return (
    <div className={cx(frame, 'max-w-6xl')}>
      <title>Run · Emulsion</title>
      <BackLink to="/workflows" search={{ part: 'runs' }}>
        All runs
      </BackLink>
      <h1 tabIndex={-1} className="sr-only">
        Run
      </h1>
      <NotLoaded query={query} what="run" list="runs" skeleton={<RunSkeleton />} />
    </div>
  );
}

function OpenStepPanel({ run, step }: { run: WorkflowRun; step: WorkflowRun['steps'][number] }) {
  const navigate = route.useNavigate();
  return (
    <LazyStepPanel
      key={step.key}
      run={run}
      step={step}
      onClose={() => void navigate({ search: {}, resetScroll: false })}
    />
  );
}

function RunSkeleton() {
  return (
    <Loading label="Loading run">
      <Skeleton className="h-7 w-56" />
      <Skeleton className="mt-2 h-4 w-72 max-w-full" />
      <Skeleton className="mt-8 h-48 w-full rounded-md" />
    </Loading>
  );
}
