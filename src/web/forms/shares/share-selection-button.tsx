import { Share2 } from 'lucide-react';
import { useState } from 'react';
import { MAX_SHARE_MEDIA } from '#contract/limits.ts';
import { useCanShare } from '#web/api/queries/shares.ts';
import { ToolbarButton } from '#web/ui/button.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { tooltipProps } from '#web/ui/tooltip-props.ts';

const ShareDialog = lazyComponent(async () => (await import('./share-dialog.tsx')).ShareDialog);

/** Creates a public page of the selected files; absent where the role or the organization forbids it. */
export function ShareSelectionButton({ mediaIds, className }: { mediaIds: string[]; className?: string }) {
  const [isOpen, setOpen] = useState(false);
  if (!useCanShare()) return null;
  const isTooMany = mediaIds.length > MAX_SHARE_MEDIA;
  const isDisabled = mediaIds.length === 0 || isTooMany;
  return (
    <>
      <ToolbarButton
        className={className}
        icon={<Share2 aria-hidden="true" className="size-4" />}
        aria-disabled={isDisabled}
        {...(isTooMany ? tooltipProps(`A page can show up to ${MAX_SHARE_MEDIA} files. Share a collection.`) : {})}
        onClick={() => setOpen(!isDisabled)}
      >
        Share
      </ToolbarButton>
      {isOpen ? <ShareDialog target={{ media_ids: mediaIds }} title="" onClose={() => setOpen(false)} /> : null}
    </>
  );
}
