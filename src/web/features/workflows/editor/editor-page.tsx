import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { isNotFound, queryError } from '#web/api/api-errors.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { starterQuery, workflowDraftQuery } from '#web/api/queries/workflow-starters.ts';
import { RequireSession } from '#web/api/session/require-session.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { BackToWorkflowsLink } from '../back-to-workflows-link.tsx';
import { editorDrafts, StarterEditor } from './starter-editor.tsx';
import { blankStarter, copyAsNewStarter, type StarterValues, toStarterValues } from './starter-values.ts';

const newRoute = getRouteApi('/workflows/new');
const editRoute = getRouteApi('/workflows/$slug/edit');

export function NewStarterPage() {
  const { from, like } = newRoute.useSearch();
  return (
    <EditorFrame title="New workflow" purpose="create a workflow">
      {from ? (
        <StarterFromGeneration key={from} id={from} />
      ) : like ? (
        <StarterCopy key={like} slug={like} />
      ) : (
        <StarterEditor name="new" createValues={blankStarter} slug={null} showsAllProblems={false} />
      )}
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
      <BackToWorkflowsLink to="starters" />
      <h1 tabIndex={-1} className="mb-6 text-xl font-semibold tracking-[-0.015em] outline-none">
        {title}
      </h1>
      <RequireSession to={purpose} permission="work.create">
        {children}
      </RequireSession>
    </div>
  );
}

function OwnStarter({ slug }: { slug: string }) {
  const query = useQuery(starterQuery(slug));
  const { data } = query;
  if (!data) return <NotLoaded query={query} subject="The workflow" />;
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

function StarterFromGeneration({ id }: { id: string }) {
  const query = useQuery({ ...workflowDraftQuery(id), enabled: editorDrafts.get(`from/${id}`) === undefined });
  const definition = query.data?.definition;
  const createValues = definition && (() => toStarterValues(definition));
  return <DerivedStarter name={`from/${id}`} subject="The generation" query={query} createValues={createValues} />;
}

function StarterCopy({ slug }: { slug: string }) {
  const query = useQuery({ ...starterQuery(slug), enabled: editorDrafts.get(`like/${slug}`) === undefined });
  const definition = query.data?.definition;
  const createValues = definition && (() => copyAsNewStarter(definition));
  return <DerivedStarter name={`like/${slug}`} subject="The workflow" query={query} createValues={createValues} />;
}

interface LoadedQuery {
  error: unknown;
  isPending: boolean;
  fetchStatus: 'fetching' | 'paused' | 'idle';
  refetch: () => unknown;
}

interface DerivedStarterProps {
  name: string;
  subject: string;
  query: LoadedQuery;
  createValues: (() => StarterValues) | undefined;
}

function DerivedStarter({ name, subject, query, createValues }: DerivedStarterProps) {
  // Renders again after the draft is discarded, so that the original is loaded.
  const [, setRestarts] = useState(0);
  if (!editorDrafts.get(name) && !createValues) return <NotLoaded query={query} subject={subject} />;
  return (
    <StarterEditor
      name={name}
      createValues={createValues ?? blankStarter}
      slug={null}
      showsAllProblems
      onRestarted={() => {
        setRestarts((count) => count + 1);
        query.refetch();
      }}
    />
  );
}

function NotLoaded({ query, subject }: { query: LoadedQuery; subject: string }) {
  const problem = queryError(query);
  if (!problem)
    return (
      <Loading label="Loading workflow" className="flex max-w-3xl flex-col gap-6">
        <Skeleton className="h-36 w-full rounded-md" />
        <Skeleton className="h-48 w-full rounded-md" />
        <Skeleton className="h-72 w-full rounded-md" />
      </Loading>
    );
  if (!isNotFound(problem)) return <LoadError what={subject} error={problem} onRetry={() => void query.refetch()} />;
  return (
    <EmptyState
      title={`${subject} was not found`}
      actions={
        <Link to="/workflows/new" search={{}} className={buttonClass()}>
          Start from scratch
        </Link>
      }
    >
      It may have been deleted, or it belongs to another organization.
    </EmptyState>
  );
}
