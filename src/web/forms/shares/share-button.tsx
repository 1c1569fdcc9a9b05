import { Share2 } from 'lucide-react';
import { MAX_SHARE_MEDIA } from '#contract/limits.ts';
import { useCanShare } from '#web/api/queries/shares.ts';
import { ToolbarButton } from '#web/ui/controls/button.tsx';
import { tooltipProps } from '#web/ui/overlays/tooltip-props.ts';
import { openShareDialog } from './open-share-dialog.ts';

/** Creates a public page of files; absent where the role or the organization forbids it. */
export function ShareButton({ mediaIds, className }: { mediaIds: string[]; className?: string }) {
  if (!useCanShare()) return null;
  const isTooMany = mediaIds.length > MAX_SHARE_MEDIA;
  const isDisabled = mediaIds.length === 0 || isTooMany;
  return (
    <ToolbarButton
      className={className}
      icon={<Share2 aria-hidden="true" className="size-4" />}
      aria-disabled={isDisabled}
      {...(isTooMany ? tooltipProps(`A page can show up to ${MAX_SHARE_MEDIA} files. Share a collection.`) : {})}
      onClick={() => openShareDialog({ media_ids: mediaIds })}
    >
      Share
    </ToolbarButton>
  );
}
