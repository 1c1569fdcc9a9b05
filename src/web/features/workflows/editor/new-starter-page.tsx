import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { isNotFound, queryError } from '#web/api/api-errors.ts';
import { starterQuery, workflowDraftQuery } from '#web/api/queries/workflow-starters.ts';
import { RequireSession } from '#web/api/session/require-session.tsx';
import { LoadError } from '#web/api/load-error.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { EditorFrame, EditorSkeleton } from './editor-frame.tsx';
import { copyAsNewStarter, blankState, type EditorState, parseEditorState } from './editor-state.ts';
import { StarterEditor, editorDrafts } from './starter-editor.tsx';

const route = getRouteApi('/workflows/new');

export function NewStarterPage() {
  const { from, like } = route.useSearch();
  return (
    <EditorFrame title="New workflow">
      <RequireSession to="create a workflow" permission="work.create">
        {from ? (
          <StarterFromGeneration key={from} id={from} />
        ) : like ? (
          <StarterFromStarter key={like} slug={like} />
        ) : (
          <BlankStarterEditor />
        )}
      </RequireSession>
    </EditorFrame>
  );
}

const BlankStarterEditor = () => (
  <StarterEditor name="new" createInitialState={blankState} slug={null} showsAllProblems={false} />
);

function StarterFromGeneration({ id }: { id: string }) {
  const name = `from/${id}`;
  const query = useQuery({ ...workflowDraftQuery(id), enabled: editorDrafts.get(name) === undefined });
  return (
    <DraftEditor
      name={name}
      subject="The generation"
      query={query}
      createInitialState={query.data && (() => parseEditorState(query.data.definition))}
    />
  );
}

function StarterFromStarter({ slug }: { slug: string }) {
  const name = `like/${slug}`;
  const query = useQuery({ ...starterQuery(slug), enabled: editorDrafts.get(name) === undefined });
  const definition = query.data?.definition;
  return (
    <DraftEditor
      name={name}
      subject="The workflow"
      query={query}
      createInitialState={definition && (() => copyAsNewStarter(definition))}
    />
  );
}

interface DraftEditorProps {
  name: string;
  subject: string;
  query: { error: unknown; isPending: boolean; fetchStatus: 'fetching' | 'paused' | 'idle'; refetch: () => unknown };
  createInitialState: (() => EditorState) | undefined;
}

function DraftEditor({ name, subject, query, createInitialState }: DraftEditorProps) {
  // Renders again after the draft is discarded, so that the original is loaded.
  const [, setRestarts] = useState(0);
  const draft = editorDrafts.get(name);
  const problem = queryError(query);
  if (draft || createInitialState)
    return (
      <StarterEditor
        name={name}
        createInitialState={createInitialState ?? blankState}
        slug={null}
        showsAllProblems
        onRestarted={() => {
          setRestarts((count) => count + 1);
          query.refetch();
        }}
      />
    );
  if (!problem) return <EditorSkeleton />;
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
      The link may be wrong, or it belongs to another organization.
    </EmptyState>
  );
}
