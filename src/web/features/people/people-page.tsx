import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { UserPlus, Users } from 'lucide-react';
import { useState } from 'react';
import { peopleQuery, pendingInvitationsQuery, useRevokeInvitation } from '#web/api/queries/people.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { RequireSession } from '#web/api/session/require-session.tsx';
import { usePagedList } from '#web/collections/collection-list.ts';
import { CollectionView, defineCollection, type EmptyProps } from '#web/collections/collection-view.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { useCommands } from '#web/ui/hooks/commands.ts';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { Page } from '#web/ui/page.tsx';
import { Skeleton } from '#web/ui/display/skeleton.tsx';
import { PEOPLE_FILTERS } from './people-search.ts';
import { PersonRow } from './person-row.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import type { Invitation } from '#contract/resources/person.ts';
import { ROLE_LABELS } from '#web/api/role-labels.ts';
import { Badge } from '#web/ui/display/badge.tsx';
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx';
import { RelativeTime } from '#web/ui/display/relative-time.tsx';
import { Section } from '#web/ui/display/section.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';

const PEOPLE = defineCollection({
  label: 'People',
  item: 'person',
  filters: PEOPLE_FILTERS,
  useList: ({ show }) => usePagedList(peopleQuery(show ?? 'active')),
  body: {
    Row: PersonRow,
    skeletonClass: 'flex h-16 items-center gap-4',
    skeleton: (
      <>
        <Skeleton className="size-10 rounded-full" />
        <span className="flex-1">
          <Skeleton className="h-4 w-40" />
          <Skeleton className="mt-2 h-3 w-56 max-w-full" />
        </span>
        <Skeleton className="h-5 w-20" />
      </>
    ),
  },
  skeletonRows: 3,
  Empty: NoPeople,
});

function NoPeople({ search: { show } }: EmptyProps<typeof PEOPLE_FILTERS>) {
  return (
    <EmptyState
      icon={<Users aria-hidden="true" />}
      title={show === 'removed' ? 'Nobody was removed' : 'Nobody has an account yet'}
    >
      {show === 'removed' ? null : 'You are signed in with a key. Invite the people who work with you.'}
    </EmptyState>
  );
}

const route = getRouteApi('/people');

export function PeoplePage() {
  const canManage = useCan('people.manage');
  const [isInviting, setInviting] = useState(false);
  const search = route.useSearch();
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
          <Button variant="primary" icon={<UserPlus aria-hidden="true" className="size-4" />} onClick={invite}>
            Invite
          </Button>
        ) : null
      }
    >
      <RequireSession to="see people" permission="people.read">
        <div className="flex flex-col gap-6">
          {canManage ? <PendingInvitations /> : null}
          <CollectionView collection={PEOPLE} search={search} />
        </div>
      </RequireSession>
      {isInviting ? <InviteDialog onClose={() => setInviting(false)} /> : null}
    </Page>
  );
}

const invitee = ({ name, email }: Invitation) => name ?? email ?? 'Anybody with the link';

/** Invitations that nobody has accepted yet. Shows nothing without any. */
function PendingInvitations() {
  const { data: invitations = [] } = useQuery(pendingInvitationsQuery);
  const [revoking, setRevoking] = useState<Invitation | null>(null);
  if (invitations.length === 0) return null;
  return (
    <Section title="Pending invitations">
      <ul className="divide-y divide-line rounded-md border border-line bg-surface">
        {invitations.map((invitation) => (
          <li key={invitation.id} className="flex flex-wrap items-center gap-x-4 gap-y-1.5 px-4 py-3">
            <div className="min-w-0 flex-[1_1_14rem]">
              <p className="truncate font-medium">{invitee(invitation)}</p>
              <p className="text-sm text-ink-3 wrap-anywhere">
                {invitation.name && invitation.email ? `${invitation.email} · ` : ''}
                Invited {invitation.invited_by ? `by ${invitation.invited_by} ` : ''}
                <RelativeTime at={invitation.created_at} />, expires{' '}
                <RelativeTime mayBeFuture at={invitation.expires_at} />
              </p>
            </div>
            <Badge>{ROLE_LABELS[invitation.role].label}</Badge>
            <Button
              size="sm"
              aria-label={`Revoke the invitation of ${invitee(invitation)}`}
              onClick={() => setRevoking(invitation)}
            >
              Revoke
            </Button>
          </li>
        ))}
      </ul>
      {revoking ? <RevokeDialog invitation={revoking} onClose={() => setRevoking(null)} /> : null}
    </Section>
  );
}

function RevokeDialog({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  const { mutate, isPending, error } = useRevokeInvitation();
  const revoke = () =>
    mutate(invitation.id, {
      onSuccess: () => {
        showToast({ title: 'Invitation revoked', detail: 'Its link no longer works.' });
        onClose();
      },
    });
  return (
    <ConfirmDialog
      title="Revoke this invitation?"
      description={invitee(invitation)}
      cancelLabel="Cancel"
      confirmLabel="Revoke invitation"
      variant="danger"
      busy={isPending}
      error={error}
      consequences={['The link stops working at once.', 'You can invite the same person again.']}
      onConfirm={revoke}
      onClose={onClose}
    />
  );
}
