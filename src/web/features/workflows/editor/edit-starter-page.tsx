import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { WorkflowStarter } from '#contract/resources/workflow-starter.ts';
import { isNotFound, queryError } from '#web/api/api-errors.ts';
import { starterQuery } from '#web/api/queries/workflow-starters.ts';
import { RequireSession } from '#web/api/session/require-session.tsx';
import { LoadError } from '#web/api/load-error.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { EditorFrame, EditorSkeleton } from './editor-frame.tsx';
import { parseEditorState } from './editor-state.ts';
import { StarterEditor } from './starter-editor.tsx';

const route = getRouteApi('/workflows/$slug/edit');

export function EditStarterPage() {
  const { slug } = route.useParams();
  return (
    <EditorFrame title="Edit workflow">
      <RequireSession to="edit this workflow" permission="work.create">
        <StarterLoader key={slug} slug={slug} />
      </RequireSession>
    </EditorFrame>
  );
}

function StarterLoader({ slug }: { slug: string }) {
  const query = useQuery(starterQuery(slug));
  const { data: starter, refetch } = query;
  const problem = queryError(query);
  if (starter) return <OwnStarterEditor starter={starter} />;
  if (!problem) return <EditorSkeleton />;
  if (!isNotFound(problem)) return <LoadError what="This workflow" error={problem} onRetry={() => void refetch()} />;
  return (
    <EmptyState
      title="Workflow not found"
      actions={
        <Link to="/workflows" search={{}} className={buttonClass()}>
          All workflows
        </Link>
      }
    >
      It may have been deleted, or it belongs to another organization.
    </EmptyState>
  );
}

function OwnStarterEditor({ starter: { slug, source, definition, updated_at } }: { starter: WorkflowStarter }) {
  if (source !== 'own' || !definition)
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
  const base = updated_at ?? null;
  return (
    <StarterEditor
      name={`edit/${slug}`}
      createInitialState={() => parseEditorState(definition, base)}
      slug={slug}
      base={base}
      showsAllProblems
    />
  );
}
