import { useNavigate } from '@tanstack/react-router';
import { Link2 } from 'lucide-react';
import { useState } from 'react';
import type { Share } from '#contract/resources/share.ts';
import { api } from '#web/api/api.ts';
import { useCanShare, useCreateShare } from '#web/api/queries/shares.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { showError } from '#web/ui/overlays/toast-error.ts';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { shareRequest } from './open-share-dialog.ts';
import { describeLifetime, isPlainLink } from './share-labels.ts';

/** Copies the link of a public page of one file: of one that is open, else of a new one. */
export function CopyShareLinkButton({ mediaId }: { mediaId: string }) {
  const { mutateAsync: createShare } = useCreateShare();
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  if (!useCanShare()) return null;
  const findShare = async (): Promise<Share> => {
    const { data } = await api.call('list_shares', { query: { media_id: mediaId, state: 'open', limit: 100 } });
    return (
      data.find((share) => isPlainLink(share, mediaId, Date.now())) ??
      (await createShare({ media_id: mediaId, allow_downloads: true }))
    );
  };
  const copy = async () => {
    setBusy(true);
    try {
      const share = await findShare();
      await navigator.clipboard.writeText(share.url ?? '').then(
        () =>
          showToast({
            title: 'Link copied',
            detail: `Everyone who has it can open this file. ${describeLifetime(share.expires_at)}`,
            tone: 'good',
            action: { label: 'Shared links', onPress: () => void navigate({ to: '/library/shares' }) },
          }),
        // The dialog has the link to select.
        () => shareRequest.set({ share }),
      );
    } catch (error) {
      showError('Could not create a link', error);
    }
    setBusy(false);
  };
  return (
    <IconButton
      label="Copy link"
      busy={isBusy}
      icon={<Link2 aria-hidden="true" className="size-4" />}
      onClick={() => void copy()}
    />
  );
}
