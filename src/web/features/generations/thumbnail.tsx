import { AudioLines, Clapperboard, Image as Picture, type LucideIcon, Search } from 'lucide-react';
import { TASKS } from '#contract/catalog.ts';
import type { Generation } from '#contract/resources/generation.ts';
import type { Purpose } from '#contract/task.ts';
import { useSmallPicture } from '#web/outputs/small-picture.ts';
import { cx } from '#web/ui/cx.ts';

const ICONS = {
  make_image: Picture,
  make_video: Clapperboard,
  edit_video: Clapperboard,
  sound: AudioLines,
  find_ideas: Search,
} satisfies Record<Purpose, LucideIcon>;

/** The first output of a generation, small; an icon of what it is where there is nothing to see. */
export function Thumbnail({ generation, className }: { generation: Generation; className?: string }) {
  const { task, output } = generation;
  const src = useSmallPicture(output.assets.find(({ type }) => type !== 'audio'));
  const Icon = output.assets[0]?.type === 'audio' ? AudioLines : ICONS[TASKS[task].purpose];
  return (
    <span className={cx('relative flex items-center justify-center overflow-hidden bg-hover text-ink-3', className)}>
      {src ? (
        <img src={src} alt="" decoding="async" className="absolute inset-0 size-full object-cover" />
      ) : (
        <Icon aria-hidden="true" className="size-[min(40%,1.75rem)] stroke-[1.5]" />
      )}
    </span>
  );
}
