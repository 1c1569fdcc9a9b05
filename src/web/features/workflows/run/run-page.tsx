import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Workflow } from 'lucide-react';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import { isNotFound, queryError } from '#web/api/api-errors.ts';
import { runQuery } from '#web/api/queries/workflow-runs.ts';
import { RequireSession } from '#web/api/session/require-session.tsx';
import { useSession } from '#web/api/session/session.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { BackToWorkflowsLink } from '../back-to-workflows-link.tsx';
import { WorkflowRunView } from './workflow-run-view.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';

const route = getRouteApi('/workflows/runs/$id');

const LazyStepPanel = lazyComponent(async () => (await import('./step-panel.tsx')).StepPanel);

const frame = '@container w-full min-w-0 px-4 pt-5 pb-12 md:px-8 md:pt-8';

export function RunPage() {
  const { id } = route.useParams();
  if (useSession() !== 'signed_out') return <RunContent key={id} id={id} />;
  return (
    <div className={cx(frame, 'max-w-6xl')}>
      <BackToWorkflowsLink to="runs" />
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
          <BackToWorkflowsLink to="runs" />
          <WorkflowRunView run={run} openKey={open?.key} problem={problem} onRetry={() => void refetch()} />
        </div>
        {open ? <OpenStepPanel run={run} step={open} /> : null}
      </div>
    );
  return (
    <div className={cx(frame, 'max-w-6xl')}>
      <title>Run · Emulsion</title>
      <BackToWorkflowsLink to="runs" />
      {problem ? null : <RunSkeleton />}
      {isNotFound(problem) ? <RunNotFound /> : null}
      {problem && !isNotFound(problem) ? (
        <LoadError what="This run" error={problem} onRetry={() => void refetch()} />
      ) : null}
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

function RunNotFound() {
  return (
    <>
      <h1 tabIndex={-1} className="sr-only">
        Run
      </h1>
      <EmptyState
        icon={<Workflow aria-hidden="true" />}
        title="Run not found"
        actions={
          <Link to="/workflows" search={{ part: 'runs' }} className={buttonClass()}>
            All runs
          </Link>
        }
      >
        The link may be wrong, or the run belongs to another organization.
      </EmptyState>
    </>
  );
}

function RunSkeleton() {
  return (
    <Loading label="Loading run">
      <Skeleton className="h-7 w-56" />
      <Skeleton className="mt-2 h-4 w-72 max-w-full" />
      <span className="mt-8 flex gap-12 overflow-hidden">
        {[0, 1, 2].map((at) => (
          <Skeleton key={at} className="h-14 w-48 flex-none rounded-md" />
        ))}
      </span>
      <Skeleton className="mt-8 h-48 w-full rounded-md" />
    </Loading>
  );
}
