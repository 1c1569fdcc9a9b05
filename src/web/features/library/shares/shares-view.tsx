import { Link2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { ListStates } from '#web/api/list-states.tsx';
import type { Share } from '#contract/resources/share.ts';
import { useRevokeShare, useShareList, useUpdateShare } from '#web/api/queries/shares.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx';
import { Loading, Skeleton } from '#web/ui/display/skeleton.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { ShareRow } from './share-row.tsx';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { ExactTime } from '#web/ui/display/relative-time.tsx';
import { EXPIRY_OPTIONS, type ExpiryChoice } from '#web/forms/shares/share-labels.ts';
import { ShareOptions, type ShareValues, toShareBody } from '#web/forms/shares/share-options.tsx';

const STATES = [
  { value: 'open', label: 'Open' },
  { value: 'ended', label: 'Ended' },
] as const;

export function SharesView() {
  const [state, setState] = useState<'open' | 'ended'>('open');
  const filters = useMemo(() => ({ state }), [state]);
  const list = useShareList(filters);
  const [editing, setEditing] = useState<Share | null>(null);
  const [ending, setEnding] = useState<Share | null>(null);
  const canRevoke = useCan('work.create');
  return (
    <div className="flex max-w-4xl flex-col gap-3">
      <div className="w-56">
        <SegmentedControl label="Links" value={state} options={STATES} stretch onChange={setState} />
      </div>
      <ListStates
        list={list}
        what="Shared links"
        older="Older links"
        loading={
          <Loading label="Loading shared links" className="flex flex-col gap-2">
            <Skeleton className="h-18 w-full" />
            <Skeleton className="h-18 w-full" />
          </Loading>
        }
        empty={
          <EmptyState
            icon={<Link2 aria-hidden="true" />}
            title={state === 'open' ? 'Nothing is shared' : 'No ended links'}
          >
            {state === 'open'
              ? 'Select files, or open a file or a collection, and choose Share to create a public page.'
              : 'Links that expire or that you end appear here.'}
          </EmptyState>
        }
      >
        <ul aria-label="Shared links" className="flex flex-col gap-2">
          {list.rows.map((share) => (
            <ShareRow
              key={share.id}
              share={share}
              onEdit={canRevoke && state === 'open' && share.url ? () => setEditing(share) : null}
              onEnd={canRevoke && state === 'open' ? () => setEnding(share) : null}
            />
          ))}
        </ul>
        {list.hasMore ? (
          <Button className="mt-3 self-start" onClick={list.loadMore}>
            Show more
          </Button>
        ) : null}
      </ListStates>
      {editing ? <EditShareDialog share={editing} onClose={() => setEditing(null)} /> : null}
      {ending ? <EndShareDialog share={ending} onClose={() => setEnding(null)} /> : null}
    </div>
  );
}

function EndShareDialog({ share, onClose }: { share: Share; onClose: () => void }) {
  const { mutateAsync, isPending, error } = useRevokeShare();
  const end = async () => {
    try {
      await mutateAsync(share.id);
      showToast({ title: 'Link ended', tone: 'good' });
      onClose();
    } catch {
      // The dialog shows the error.
    }
  };
  return (
    <ConfirmDialog
      title="End this link?"
      description={share.title ?? share.name ?? 'A page without a name'}
      consequences={['The page and its files can’t be opened any more, at once.', 'The files stay in the library.']}
      gravest="The same link can’t be used again."
      cancelLabel="Keep"
      confirmLabel="End link"
      variant="danger"
      busy={isPending}
      error={error}
      onClose={onClose}
      onConfirm={() => void end()}
    />
  );
}

const EXPIRY_CHANGES: readonly { value: ExpiryChoice; label: string }[] = [
  { value: 'unchanged', label: 'Not changed' },
  ...EXPIRY_OPTIONS.map(({ value, label }) => ({ value, label: value === 'never' ? label : `${label} from now` })),
];

/** Changes what an open page shows, and when it ends. */
function EditShareDialog({ share, onClose }: { share: Share; onClose: () => void }) {
  const { mutateAsync: updateShare } = useUpdateShare();
  const { id, title, expires_at, allow_downloads, show_prompts, show_organization, asks_for, has_code } = share;
  const form = useDialogForm<ShareValues>({
    title: title ?? '',
    expiry: 'unchanged',
    allow_downloads,
    show_prompts,
    show_organization,
    asks_for: asks_for ?? 'nothing',
    locked: has_code,
    code: '',
  });
  return (
    <FormDialog
      form={form}
      size="sm"
      title="Change this page"
      description="The link stays the same. Visitors find the changes at once."
      submitLabel="Save"
      onSubmit={async (values) => {
        await updateShare({ id, ...toShareBody(values) });
        showToast({ title: 'Page changed', tone: 'good' });
        onClose();
      }}
      onClose={onClose}
    >
      <ShareOptions
        form={form}
        expiryLabel="Ends"
        hasCode={has_code}
        expiryOptions={EXPIRY_CHANGES}
        expiryHint={
          expires_at ? (
            <>
              It ends on <ExactTime at={expires_at} />.
            </>
          ) : (
            'It has no end.'
          )
        }
      />
    </FormDialog>
  );
}
