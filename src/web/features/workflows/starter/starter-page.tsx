import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { starterQuery } from '#web/api/queries/workflow-starters.ts';
import { RequireSession } from '#web/api/session/require-session.tsx';
import { BackLink } from '#web/ui/back-link.tsx';
import { NotLoaded } from '../not-loaded.tsx';
import { StarterView } from './starter-view.tsx';
import { StarterSkeleton } from './starter-skeleton.tsx';

const route = getRouteApi('/workflows/$slug');

export function StarterPage() {
  const { slug } = route.useParams();
  return (
    <div className="w-full max-w-7xl px-4 pt-5 pb-6 md:px-8 md:pt-8">
      <BackLink to="/workflows">All workflows</BackLink>
      <RequireSession to="run this workflow">
        <StarterContent key={slug} slug={slug} />
      </RequireSession>
    </div>
  );
}

function StarterContent({ slug }: { slug: string }) {
  const query = useQuery(starterQuery(slug));
  if (query.data) return <StarterView starter={query.data} />;
  return (
    <>
      <title>Workflow · Emulsion</title>
      <h1 tabIndex={-1} className="sr-only">
        Workflow
      </h1>
      <NotLoaded query={query} what="workflow" list="starters" skeleton={<StarterSkeleton />} />
    </>
  );
}
