import type { LucideIcon } from 'lucide-react';
import type { Asset } from '#contract/resources/generation.ts';
import { useClientThumbnail } from './use-client-thumbnail.ts';
import { cx } from '#web/ui/cx.ts';

export interface AssetThumbnailProps {
  asset: Asset | undefined;
  icon: LucideIcon;
  className?: string;
}

export function AssetThumbnail({ asset, icon: Icon, className }: AssetThumbnailProps) {
  const src = useClientThumbnail(asset?.type === 'audio' ? undefined : asset);
  return (
    <span
      className={cx(
        'relative flex flex-none items-center justify-center overflow-hidden bg-hover text-ink-3',
        className,
      )}
    >
      {src ? (
        <img src={src} alt="" decoding="async" className="absolute inset-0 size-full object-cover" />
      ) : (
        <Icon aria-hidden="true" className="size-[min(50%,1.75rem)] stroke-[1.5]" />
      )}
    </span>
  );
}
