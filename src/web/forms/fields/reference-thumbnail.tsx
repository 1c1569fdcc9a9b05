import { useState } from 'react';
import { AudioLines, Image, Link2, type LucideIcon, Video } from 'lucide-react';
import type { Derivatives } from '#contract/resources/media-derivatives.ts';
import type { MediaKind } from '#contract/task.ts';
import { serviceMediaSrc, useReferenceInfo } from '#web/api/reference-info.ts';
import { cx } from '#web/ui/cx.ts';

const icons = { image: Image, video: Video, audio: AudioLines } satisfies Record<MediaKind, LucideIcon>;

export interface MediaThumbProps {
  url: string;
  media: MediaKind;
  /** Of the medium, where they are at hand; else what was remembered of it. */
  derivatives?: Derivatives | null | undefined;
  className?: string;
}

/**
 * A small picture of a reference, of its small copies where there are some; an icon where there is none to be had.
 * Addresses elsewhere are not loaded.
 */
export function ReferenceThumbnail({ url, media, derivatives, className }: MediaThumbProps) {
  const remembered = useReferenceInfo(url)?.derivatives;
  const [failures, setFailures] = useState(0);
  const copies = failures === 0 ? (derivatives ?? remembered) : null;
  const src = serviceMediaSrc(url);
  const small = serviceMediaSrc(copies?.thumbnails[0]?.url ?? '');
  const onError = () => setFailures(copies ? 1 : 2);
  const box = cx('flex items-center justify-center overflow-hidden bg-sunken text-ink-3', className);
  if (src === null || failures === 2 || media === 'audio') {
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
          src={small ?? src}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          onError={onError}
          className="size-full object-cover"
        />
      ) : (
        <video
          // The first frame of the original shows only once a moment after the start is asked for.
          src={serviceMediaSrc(copies?.preview_url ?? '') ?? `${src}#t=0.1`}
          poster={small ?? undefined}
          preload={small ? 'none' : 'metadata'}
          muted
          playsInline
          aria-hidden="true"
          tabIndex={-1}
          onError={onError}
          className="size-full object-cover"
        />
      )}
    </span>
  );
}
