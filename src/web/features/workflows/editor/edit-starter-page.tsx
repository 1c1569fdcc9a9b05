import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { WorkflowStarter } from '#contract/resources/workflow-starter.ts';
import { isNotFound } from '#web/api/queries/is-not-found.ts';
import { queryError } from '#web/api/queries/query-error.ts';
import { starterQuery } from '#web/api/queries/workflow-starters.ts';
import { RequireSession } from '#web/api/session/require-session.tsx';
import { LoadError } from '#web/api/load-error.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { EditorFrame, EditorSkeleton } from './editor-frame.tsx';
import { parseEditorState } from './editor-state.ts';
import { StarterEditor } from './starter-editor.tsx';

const route = getRouteApi('/workflows/$slug/edit');

/** One of the organization's own starters, to be changed. */
export function EditStarterPage() {
  const { slug } = route.useParams();
  return (
    <EditorFrame title="Edit starter">
      <RequireSession to="edit this starter">
        <StarterLoader key={slug} slug={slug} />
      </RequireSession>
    </EditorFrame>
  );
}

function StarterLoader({ slug }: { slug: string }) {
  const reading = useQuery(starterQuery(slug));
  const { data: starter, refetch } = reading;
  const problem = queryError(reading);
  if (starter) return <OwnStarterEditor starter={starter} />;
  if (!problem) return <EditorSkeleton />;
  if (!isNotFound(problem)) return <LoadError what="This starter" error={problem} onRetry={() => void refetch()} />;
  return (
    <EmptyState
      title="No such starter"
      actions={
        <Link to="/workflows" search={{}} className={buttonClass()}>
          All starters
        </Link>
      }
    >
      It was deleted, the link is wrong, or it belongs to another organization.
    </EmptyState>
  );
}

function OwnStarterEditor({ starter: { slug, source, definition, updated_at } }: { starter: WorkflowStarter }) {
  if (source !== 'own' || !definition)
    return (
      <EmptyState
        title="This starter is not yours to change"
        actions={
          <Link to="/workflows/new" search={{ like: slug }} className={buttonClass({ variant: 'primary' })}>
            Edit as a new starter
          </Link>
        }
      >
        It comes with the service. A copy of it can be changed at will.
      </EmptyState>
    );
  const base = updated_at ?? null;
  return (
    <StarterEditor
      name={`edit/${slug}`}
      createInitialState={() => parseEditorState(definition, base)}
      slug={slug}
      base={base}
      shows_all_problems
    />
  );
}
