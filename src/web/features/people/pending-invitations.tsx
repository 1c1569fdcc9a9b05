import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Invitation } from '#contract/resources/person.ts';
import { pendingInvitationsQuery, useRevokeInvitation } from '#web/api/queries/people.ts';
import { ROLE_LABELS } from '#web/api/role-labels.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { RelativeTime } from '#web/ui/relative-time.tsx';
import { Section } from '#web/ui/section.tsx';
import { showToast } from '#web/ui/toast-store.ts';

const invitee = ({ name, email }: Invitation) => name ?? email ?? 'Anybody with the link';

/** Invitations that nobody has accepted yet. Shows nothing without any. */
export function PendingInvitations() {
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
