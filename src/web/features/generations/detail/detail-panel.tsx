import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { TASKS } from '#contract/catalog.ts';
import { ApiError } from '#web/api-errors.ts';
import { generationQuery, knownGeneration } from '#web/queries/generations.ts';
import { problemOf } from '#web/queries/problem-of.ts';
import { RequireSession } from '#web/session/require-session.tsx';
import { LoadError } from '#web/shell/load-error.tsx';
import { Button } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { cx } from '#web/ui/cx.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { Detail } from './detail.tsx';
import { DetailSkeleton } from './detail-skeleton.tsx';

/** Over the page where there is little room, between the bars of the shell; beside the list where there is more. */
const place = cx(
  'fixed inset-x-0 top-13 bottom-[calc(3.75rem+env(safe-area-inset-bottom))] z-15 flex flex-col overflow-y-auto overscroll-contain bg-canvas',
  'md:top-0 md:bottom-0 md:left-16 xl:left-58 lg:sticky lg:inset-auto lg:top-0 lg:h-dvh lg:border-l lg:border-line',
);

/** The generation that the address names. */
export function DetailPanel() {
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
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    // Over the list, the list is out of reach: the keyboard starts here. Beside it, it stays in the list.
    if (panel.current && getComputedStyle(panel.current).position === 'fixed') panel.current.focus();
  }, []);
  return (
    <aside ref={panel} tabIndex={-1} aria-label="Open generation" className={cx(place, 'outline-none')}>
      <RequireSession to="see this generation">
        <Loaded {...props} />
      </RequireSession>
    </aside>
  );
}

function Loaded({ id, onClose }: PanelProps) {
  const client = useQueryClient();
  const reading = useQuery({
    ...generationQuery(id),
    // What the list shows of it already, while it is read.
    placeholderData: () => knownGeneration(client, id),
  });
  const { data: generation, refetch } = reading;
  const problem = problemOf(reading);
  const unknown = problem instanceof ApiError && (problem.status === 404 || problem.status === 422);
  return (
    <>
      <header className="sticky top-0 z-1 flex h-14 flex-none items-center gap-3 border-b border-line bg-canvas px-4 md:px-6">
        <h2 className="min-w-0 truncate text-base font-semibold">
          {generation ? TASKS[generation.task].name : 'Generation'}
        </h2>
        {generation ? <StatusBadge status={generation.status} progress={generation.progress} /> : null}
        <span className="-mr-2 ml-auto flex flex-none items-center gap-0.5">
          <CopyButton text={`${window.location.origin}/generations/${id}`} label="Copy link" />
          <IconButton label="Close" icon={<X aria-hidden="true" className="size-4.5" />} onClick={onClose} />
        </span>
      </header>
      <div className="min-w-0 flex-1 px-4 pt-4 pb-10 md:px-6">
        {generation ? (
          <Detail generation={generation} />
        ) : unknown ? (
          <EmptyState title="No such generation" actions={<Button onClick={onClose}>Back to the list</Button>}>
            The link may be wrong, or it belongs to another organization.
          </EmptyState>
        ) : problem ? (
          <LoadError what="This generation" error={problem} onRetry={() => void refetch()} />
        ) : (
          <DetailSkeleton />
        )}
      </div>
    </>
  );
}
