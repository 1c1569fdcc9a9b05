import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { TASKS } from '#contract/catalog.ts';
import { generationQuery, cachedGeneration } from '#web/api/queries/generations.ts';
import { isNotFound } from '#web/api/queries/is-not-found.ts';
import { queryError } from '#web/api/queries/query-error.ts';
import { RequireSession } from '#web/api/session/require-session.tsx';
import { LoadError } from '#web/api/load-error.tsx';
import { Button } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { SidePanel, SidePanelHeader } from '#web/ui/side-panel.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { GenerationDetails } from './generation-details.tsx';
import { GenerationDetailsSkeleton } from './generation-details-skeleton.tsx';

/** The generation that the address names. */
export function GenerationDetailsPanel() {
  const { id = '' } = useParams({ strict: false });
  const navigate = useNavigate();
  const close = () => void navigate({ to: '/generations', search: (search) => search, resetScroll: false });

  return <Panel key={id} id={id} onClose={close} />;
}

interface PanelProps {
  id: string;
  onClose: () => void;
}

function Panel(props: PanelProps) {
  return (
    <SidePanel label="Open generation">
      <RequireSession to="see this generation">
        <DetailContent {...props} />
      </RequireSession>
    </SidePanel>
  );
}

function DetailContent({ id, onClose }: PanelProps) {
  const client = useQueryClient();
  const reading = useQuery({
    ...generationQuery(id),
    // What the list shows of it already, while it is read.
    placeholderData: () => cachedGeneration(client, id),
  });
  const { data: generation, refetch } = reading;
  const problem = queryError(reading);
  return (
    <>
      <SidePanelHeader
        title={generation ? TASKS[generation.task].name : 'Generation'}
        badge={generation ? <StatusBadge status={generation.status} progress={generation.progress} /> : null}
        actions={<CopyButton text={`${window.location.origin}/generations/${id}`} label="Copy link" />}
        onClose={onClose}
      />
      <div className="min-w-0 flex-1 px-4 pt-4 pb-10 md:px-6">
        {generation ? (
          <GenerationDetails generation={generation} />
        ) : isNotFound(problem) ? (
          <EmptyState title="No such generation" actions={<Button onClick={onClose}>Back to the list</Button>}>
            The link may be wrong, or it belongs to another organization.
          </EmptyState>
        ) : problem ? (
          <LoadError what="This generation" error={problem} onRetry={() => void refetch()} />
        ) : (
          <GenerationDetailsSkeleton />
        )}
      </div>
    </>
  );
}
