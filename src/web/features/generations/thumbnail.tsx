import { AudioLines, Clapperboard, Image as Picture, type LucideIcon, Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { TASKS } from '#contract/catalog.ts';
import type { Asset, Generation } from '#contract/resources/generation.ts';
import type { Purpose } from '#contract/task.ts';
import { assetSrc } from '#web/forms/media-info.ts';
import { cx } from '#web/ui/cx.ts';

const ICONS = {
  make_image: Picture,
  make_video: Clapperboard,
  edit_video: Clapperboard,
  sound: AudioLines,
  find_ideas: Search,
} satisfies Record<Purpose, LucideIcon>;

/** A row that is only flung past must not start a download. */
const SETTLE_MS = 120;

function useSettled(): boolean {
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), SETTLE_MS);
    return () => clearTimeout(timer);
  }, []);
  return settled;
}

/** The first output of a generation, small; an icon of what it is where there is nothing to see. */
export function Thumbnail({ generation, className }: { generation: Generation; className?: string }) {
  const settled = useSettled();
  const [failedUrl, setFailedUrl] = useState<string>();
  const asset = generation.output.assets.find(({ type }) => type !== 'audio');
  const Icon = generation.output.assets[0]?.type === 'audio' ? AudioLines : ICONS[TASKS[generation.task].purpose];
  const shown = settled && asset && asset.url !== failedUrl;
  return (
    <span className={cx('relative flex items-center justify-center overflow-hidden bg-hover text-ink-3', className)}>
      {shown ? (
        <Media asset={asset} onError={() => setFailedUrl(asset.url)} />
      ) : (
        <Icon aria-hidden="true" className="size-[min(40%,1.75rem)] stroke-[1.5]" />
      )}
    </span>
  );
}

function Media({ asset, onError }: { asset: Asset; onError: () => void }) {
  const src = assetSrc(asset.url);
  const look = 'absolute inset-0 size-full object-cover';
  if (asset.type === 'image') return <img src={src} alt="" decoding="async" className={look} onError={onError} />;
  // A moment after the start, because many clips begin black. Decorative: the row says what it is.
  return (
    <video
      src={`${src}#t=0.1`}
      muted
      playsInline
      preload="metadata"
      tabIndex={-1}
      aria-hidden="true"
      className={look}
      onError={onError}
    />
  );
}
