import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Workflow } from 'lucide-react';
import { isNotFound, queryError } from '#web/api/api-errors.ts';
import { starterQuery } from '#web/api/queries/workflow-starters.ts';
import { RequireSession } from '#web/api/session/require-session.tsx';
import { LoadError } from '#web/api/load-error.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { BackToWorkflowsLink } from '../back-to-workflows-link.tsx';
import { StarterView } from './starter-view.tsx';
import { StarterSkeleton } from './starter-skeleton.tsx';

const route = getRouteApi('/workflows/$slug');

export function StarterPage() {
  const { slug } = route.useParams();
  return (
    <div className="w-full max-w-7xl px-4 pt-5 pb-6 md:px-8 md:pt-8">
      <BackToWorkflowsLink to="starters" />
      <RequireSession to="run this workflow">
        <StarterContent key={slug} slug={slug} />
      </RequireSession>
    </div>
  );
}

function StarterContent({ slug }: { slug: string }) {
  const query = useQuery(starterQuery(slug));
  const { data: starter, refetch } = query;
  const problem = queryError(query);
  if (starter) return <StarterView starter={starter} />;
  return (
    <>
      <title>Workflow · Emulsion</title>
      {isNotFound(problem) ? <StarterNotFound /> : null}
      {problem && !isNotFound(problem) ? (
        <LoadError what="This workflow" error={problem} onRetry={() => void refetch()} />
      ) : null}
      {problem ? null : <StarterSkeleton />}
    </>
  );
}

function StarterNotFound() {
  return (
    <>
      <h1 tabIndex={-1} className="sr-only">
        Workflow
      </h1>
      <EmptyState
        icon={<Workflow aria-hidden="true" />}
        title="Workflow not found"
        actions={
          <Link to="/workflows" search={{}} className={buttonClass()}>
            All workflows
          </Link>
        }
      >
        It may have been deleted, or it belongs to another organization. Past runs stay under Runs.
      </EmptyState>
    </>
  );
}
