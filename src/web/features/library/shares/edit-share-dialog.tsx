import type { Share } from '#contract/resources/share.ts';
import { useUpdateShare } from '#web/api/queries/shares.ts';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { ExactTime } from '#web/ui/relative-time.tsx';
import { showToast } from '#web/ui/toast-store.ts';
import { EXPIRY_OPTIONS, type ExpiryChoice, expiryDays } from './share-labels.ts';
import { ShareOptions, type ShareValues } from './share-options.tsx';

const EXPIRY_CHANGES: readonly { value: ExpiryChoice; label: string }[] = [
  { value: 'unchanged', label: 'Not changed' },
  ...EXPIRY_OPTIONS.map(({ value, label }) => ({ value, label: value === 'never' ? label : `${label} from now` })),
];

/** Changes what an open page shows, and when it ends. */
export function EditShareDialog({ share, onClose }: { share: Share; onClose: () => void }) {
  const { mutateAsync: updateShare } = useUpdateShare();
  const { id, title, expires_at, allow_downloads, show_prompts, show_organization } = share;
  const form = useDialogForm<ShareValues>({
    title: title ?? '',
    expiry: 'unchanged',
    allow_downloads,
    show_prompts,
    show_organization,
  });
  return (
    <FormDialog
      form={form}
      size="sm"
      title="Change this page"
      description="The link stays the same. Visitors find the changes at once."
      submitLabel="Save"
      onSubmit={async ({ expiry, ...body }) => {
        await updateShare({ id, ...body, expires_in_days: expiryDays(expiry) });
        showToast({ title: 'Page changed', tone: 'good' });
        onClose();
      }}
      onClose={onClose}
    >
      <ShareOptions
        form={form}
        expiryLabel="Ends"
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
