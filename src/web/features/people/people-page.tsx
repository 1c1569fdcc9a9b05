import { useInfiniteQuery } from '@tanstack/react-query';
import { UserPlus, Users } from 'lucide-react';
import { useState } from 'react';
import { isMissingFeature } from '#web/api/api-errors.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { peopleQuery } from '#web/api/queries/people.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { queryError } from '#web/api/queries/query-error.ts';
import { RequireSession } from '#web/api/session/require-session.tsx';
import { Button } from '#web/ui/button.tsx';
import { useCommands } from '#web/ui/commands.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Page } from '#web/ui/page.tsx';
import { SegmentedControl } from '#web/ui/segmented-control.tsx';
import { FramedSkeletonRows, Skeleton } from '#web/ui/skeleton.tsx';
import { PendingInvitations } from './pending-invitations.tsx';
import { PersonRow } from './person-row.tsx';

const InviteDialog = lazyComponent(async () => (await import('./invite-dialog.tsx')).InviteDialog);

const STATUSES = [
  { value: 'active', label: 'Active' },
  { value: 'removed', label: 'Removed' },
] as const;

export function PeoplePage() {
  const canManage = useCan('people.manage');
  const [isInviting, setInviting] = useState(false);
  const [status, setStatus] = useState<'active' | 'removed'>('active');
  const invite = () => setInviting(true);
  useCommands(
    canManage ? [{ group: 'People', label: 'Invite a person…', icon: UserPlus, keys: 'n', run: invite }] : [],
  );
  return (
    <Page
      title="People"
      intro="Who works here, and what they may do."
      actions={
        canManage ? (
          <Button
            variant="primary"
            icon={<UserPlus aria-hidden="true" className="size-4" />}
            onPointerEnter={InviteDialog.preload}
            onFocus={InviteDialog.preload}
            onClick={invite}
          >
            Invite
          </Button>
        ) : null
      }
    >
      <RequireSession to="see people" permission="people.read">
        <div className="flex flex-col gap-6">
          {canManage ? <PendingInvitations /> : null}
          <div className="flex flex-col gap-3">
            <SegmentedControl label="Status" value={status} options={STATUSES} onChange={setStatus} />
            <PeopleList key={status} status={status} canManage={canManage} />
          </div>
        </div>
      </RequireSession>
      {isInviting ? <InviteDialog onClose={() => setInviting(false)} /> : null}
    </Page>
  );
}

function PeopleList({ status, canManage }: { status: 'active' | 'removed'; canManage: boolean }) {
  const list = useInfiniteQuery(peopleQuery(status));
  const problem = queryError(list);
  if (isMissingFeature(problem))
    return (
      <EmptyState icon={<Users aria-hidden="true" />} title="People are not available">
        This service has API keys alone.
      </EmptyState>
    );
  if (problem && !list.data) return <LoadError what="People" error={problem} onRetry={() => void list.refetch()} />;
  if (!list.data) return <PeopleSkeleton />;
  const people = list.data.pages.flatMap(({ data }) => data);
  if (people.length === 0)
    return (
      <EmptyState
        icon={<Users aria-hidden="true" />}
        title={status === 'active' ? 'Nobody has an account yet' : 'Nobody was removed'}
      >
        {status === 'active' ? 'You are signed in with a key. Invite the people who work with you.' : null}
      </EmptyState>
    );
  return (
    <>
      <ul
        aria-label={status === 'active' ? 'People' : 'Removed people'}
        tabIndex={-1}
        className="divide-y divide-line rounded-md border border-line bg-surface outline-none"
      >
        {people.map((person) => (
          <PersonRow key={person.id} person={person} canManage={canManage} />
        ))}
      </ul>
      {list.hasNextPage ? (
        <Button className="self-center" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Show more
        </Button>
      ) : null}
    </>
  );
}

const PeopleSkeleton = () => (
  <FramedSkeletonRows label="Loading people" rows={3} className="flex h-16 items-center gap-4">
    <Skeleton className="size-10 rounded-full" />
    <span className="flex-1">
      <Skeleton className="h-4 w-40" />
      <Skeleton className="mt-2 h-3 w-56 max-w-full" />
    </span>
    <Skeleton className="h-5 w-20" />
  </FramedSkeletonRows>
);
