import { useState } from 'react';
import { AudioLines, Image, Link2, type LucideIcon, Video } from 'lucide-react';
import type { MediaKind } from '#contract/task.ts';
import { ownMediaSrc } from '#web/forms/media-info.ts';
import { cx } from '#web/ui/cx.ts';

const icons = { image: Image, video: Video, audio: AudioLines } satisfies Record<MediaKind, LucideIcon>;

/** A small picture of a reference; an icon where there is none to be had. Addresses elsewhere are not loaded. */
export function MediaThumb({ url, media, className }: { url: string; media: MediaKind; className?: string }) {
  const [broken, setBroken] = useState(false);
  const src = ownMediaSrc(url);
  const box = cx('flex items-center justify-center overflow-hidden bg-sunken text-ink-3', className);
  if (src === null || broken || media === 'audio') {
    const Icon = src === null ? Link2 : icons[media];
    return (
      <span className={box}>
        <Icon aria-hidden="true" className="size-5 stroke-[1.5]" />
      </span>
    );
  }
  return (
    <span className={box}>
      {media === 'image' ? (
        <img
          src={src}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          onError={() => setBroken(true)}
          className="size-full object-cover"
        />
      ) : (
        // The first frame shows only once a moment after the start is asked for.
        <video
          src={`${src}#t=0.1`}
          muted
          playsInline
          preload="metadata"
          aria-hidden="true"
          tabIndex={-1}
          onError={() => setBroken(true)}
          className="size-full object-cover"
        />
      )}
    </span>
  );
}
