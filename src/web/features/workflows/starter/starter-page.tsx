import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Workflow } from 'lucide-react';
import { isUnknown } from '#web/queries/is-unknown.ts';
import { problemOf } from '#web/queries/problem-of.ts';
import { starterQuery } from '#web/queries/workflow-starters.ts';
import { RequireSession } from '#web/session/require-session.tsx';
import { LoadError } from '#web/shell/load-error.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { BackLink } from '../back-link.tsx';
import { Starter } from './starter.tsx';
import { StarterSkeleton } from './starter-skeleton.tsx';

const route = getRouteApi('/workflows/$slug');

/** One starter: its form, what it costs and the steps that it takes. */
export function StarterPage() {
  const { slug } = route.useParams();
  return (
    <div className="w-full max-w-7xl px-4 pt-5 pb-6 md:px-8 md:pt-8">
      <BackLink to="starters" />
      <RequireSession to="run this workflow">
        <Loaded key={slug} slug={slug} />
      </RequireSession>
    </div>
  );
}

function Loaded({ slug }: { slug: string }) {
  const reading = useQuery(starterQuery(slug));
  const { data: starter, refetch } = reading;
  const problem = problemOf(reading);
  if (starter) return <Starter starter={starter} />;
  return (
    <>
      <title>Starter · Emulsion</title>
      {isUnknown(problem) ? <NoSuchStarter /> : null}
      {problem && !isUnknown(problem) ? (
        <LoadError what="This starter" error={problem} onRetry={() => void refetch()} />
      ) : null}
      {problem ? null : <StarterSkeleton />}
    </>
  );
}

function NoSuchStarter() {
  return (
    <>
      <h1 tabIndex={-1} className="sr-only">
        Starter
      </h1>
      <EmptyState
        icon={<Workflow aria-hidden="true" />}
        title="No such starter"
        actions={
          <Link to="/workflows" search={{}} className={buttonClass()}>
            All starters
          </Link>
        }
      >
        It was deleted, the link is wrong, or it belongs to another organization. Runs of it stay in the list of runs.
      </EmptyState>
    </>
  );
}
