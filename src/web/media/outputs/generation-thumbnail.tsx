import { useState } from 'react';
import { AudioLines, Clapperboard, Ellipsis, Image as ImageIcon, type LucideIcon, Search } from 'lucide-react';
import { TASKS } from '#contract/catalog.ts';
import type { Generation } from '#contract/resources/generation.ts';
import type { TaskPurpose } from '#contract/task.ts';
import { assetSrc } from '#web/api/reference-info.ts';
import { useClientThumbnail } from './use-client-thumbnail.ts';
import { cx } from '#web/ui/cx.ts';

const ICONS = {
  make_image: ImageIcon,
  make_video: Clapperboard,
  edit_video: Clapperboard,
  sound: AudioLines,
  make_sound: AudioLines,
  other: Ellipsis,
  find_ideas: Search,
} satisfies Record<TaskPurpose, LucideIcon>;

export function GenerationThumbnail({ generation, className }: { generation: Generation; className?: string }) {
  const { task, output } = generation;
  const [broken, setBroken] = useState<string>();
  const asset = output.assets.find(({ type, removed_at }) => type !== 'audio' && !removed_at);
  const thumbnails = asset?.id === broken ? [] : (asset?.derivatives?.thumbnails ?? []);
  const clientThumbnail = useClientThumbnail(thumbnails.length > 0 ? undefined : asset);
  const src = thumbnails[0] ? assetSrc(thumbnails[0].url) : clientThumbnail;
  const Icon = output.assets[0]?.type === 'audio' ? AudioLines : ICONS[TASKS[task].purpose];
  return (
    <span className={cx('relative flex items-center justify-center overflow-hidden bg-hover text-ink-3', className)}>
      {src ? (
        <img
          src={src}
          srcSet={thumbnails.map(({ url, width }) => `${assetSrc(url)} ${width}w`).join(', ') || undefined}
          // Browsers without support for `auto` fall back to the width of a gallery tile.
          sizes="auto, 20rem"
          loading="lazy"
          decoding="async"
          alt=""
          onError={() => setBroken(asset?.id)}
          className="absolute inset-0 size-full object-cover"
        />
      ) : (
        <Icon aria-hidden="true" className="size-[min(40%,1.75rem)] stroke-[1.5]" />
      )}
    </span>
  );
}
