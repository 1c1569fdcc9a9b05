import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useReducer } from 'react';
import { starterQuery, workflowDraftQuery } from '#web/api/queries/workflow-starters.ts';
import { RequireSession } from '#web/api/session/require-session.tsx';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { Loading, Skeleton } from '#web/ui/display/skeleton.tsx';
import { BackLink } from '#web/ui/back-link.tsx';
import { NotLoaded } from '../not-loaded.tsx';
import { editorDrafts, StarterEditor } from './starter-editor.tsx';
import { blankStarter, copyAsNewStarter, toStarterValues } from './starter-values.ts';

const newRoute = getRouteApi('/workflows/new');
const editRoute = getRouteApi('/workflows/$slug/edit');

/** An empty workflow, a copy of another one, or one that repeats a generation. */
export function NewStarterPage() {
  const { from = null, like = null } = newRoute.useSearch();
  const name = from ? `from/${from}` : like ? `like/${like}` : 'new';
  return (
    <EditorFrame title="New workflow" purpose="create a workflow">
      <NewStarter key={name} name={name} generationId={from} slug={from ? null : like} />
    </EditorFrame>
  );
}

export function EditStarterPage() {
  const { slug } = editRoute.useParams();
  return (
    <EditorFrame title="Edit workflow" purpose="edit this workflow">
      <OwnStarter key={slug} slug={slug} />
    </EditorFrame>
  );
}

function EditorFrame({ title, purpose, children }: { title: string; purpose: string; children: ReactNode }) {
  return (
    <div className="w-full max-w-7xl px-4 pt-5 pb-12 md:px-8 md:pt-8">
      <title>{`${title} · Workflows · Emulsion`}</title>
      <BackLink to="/workflows">All workflows</BackLink>
      <h1 tabIndex={-1} className="mb-6 text-xl font-semibold tracking-[-0.015em] outline-none">
        {title}
      </h1>
      <RequireSession to={purpose} permission="work.create">
        {children}
      </RequireSession>
    </div>
  );
}

const skeleton = (
  <Loading label="Loading workflow" className="flex max-w-3xl flex-col gap-6">
    <Skeleton className="h-36 w-full rounded-md" />
    <Skeleton className="h-48 w-full rounded-md" />
    <Skeleton className="h-72 w-full rounded-md" />
  </Loading>
);

function OwnStarter({ slug }: { slug: string }) {
  const query = useQuery(starterQuery(slug));
  const { data } = query;
  if (!data) return <NotLoaded query={query} what="workflow" list="starters" skeleton={skeleton} />;
  const { source, definition, updated_at: base = null } = data;
  if (source === 'own' && definition)
    return (
      <StarterEditor
        name={`edit/${slug}`}
        createValues={() => toStarterValues(definition)}
        slug={slug}
        base={base}
        showsAllProblems
      />
    );
  return (
    <EmptyState
      title="This workflow can’t be edited"
      actions={
        <Link to="/workflows/new" search={{ like: slug }} className={buttonClass({ variant: 'primary' })}>
          Duplicate and edit
        </Link>
      }
    >
      It comes with the service. Duplicate it to make changes.
    </EmptyState>
  );
}

interface NewStarterProps {
  name: string;
  generationId: string | null;
  slug: string | null;
}

function NewStarter({ name, generationId, slug }: NewStarterProps) {
  // After the draft is discarded, the original is loaded.
  const [, renderAgain] = useReducer((count: number) => count + 1, 0);
  const hasDraft = editorDrafts.get(name) !== undefined;
  const generation = useQuery({
    ...workflowDraftQuery(generationId ?? ''),
    enabled: generationId !== null && !hasDraft,
  });
  const starter = useQuery({ ...starterQuery(slug ?? ''), enabled: slug !== null && !hasDraft });
  const isBlank = generationId === null && slug === null;
  const createValues = () => {
    if (generation.data) return toStarterValues(generation.data.definition);
    return starter.data?.definition ? copyAsNewStarter(starter.data.definition) : blankStarter();
  };
  if (!isBlank && !hasDraft && !generation.data && !starter.data?.definition) {
    const what = generationId === null ? 'workflow' : 'generation';
    const query = generationId === null ? starter : generation;
    return <NotLoaded query={query} what={what} list="starters" skeleton={skeleton} />;
  }
  return (
    <StarterEditor
      name={name}
      createValues={createValues}
      slug={null}
      showsAllProblems={!isBlank}
      onRestarted={renderAgain}
    />
  );
}
