import { useState } from 'react';
import { AudioLines, Image, Link2, type LucideIcon, Video } from 'lucide-react';
import type { Derivatives } from '#contract/resources/media.ts';
import type { MediaKind } from '#contract/task.ts';
import { serviceMediaSrc, useReferenceInfo } from '#web/api/reference-info.ts';
import { SilentClip } from '#web/media/player/media-element.tsx';
import { cx } from '#web/ui/cx.ts';

const icons = { image: Image, video: Video, audio: AudioLines } satisfies Record<MediaKind, LucideIcon>;

export interface ReferenceThumbnailProps {
  url: string;
  media: MediaKind;
  /** Default: the cached derivatives of the URL. */
  derivatives?: Derivatives | null | undefined;
  className?: string;
}

/** Shows a derivative, else the original, else an icon. Media of other servers are not loaded. */
export function ReferenceThumbnail({ url, media, derivatives, className }: ReferenceThumbnailProps) {
  const cachedDerivatives = useReferenceInfo(url)?.derivatives;
  const [failures, setFailures] = useState(0);
  const usedDerivatives = failures === 0 ? (derivatives ?? cachedDerivatives) : null;
  const src = serviceMediaSrc(url);
  const thumbnailSrc = serviceMediaSrc(usedDerivatives?.thumbnails[0]?.url ?? '');
  const onError = () => setFailures(usedDerivatives ? 1 : 2);
  const boxClass = cx('flex items-center justify-center overflow-hidden bg-sunken text-ink-3', className);
  if (src === null || failures === 2 || media === 'audio') {
    const Icon = src === null ? Link2 : icons[media];
    return (
      <span className={boxClass}>
        <Icon aria-hidden="true" className="size-5 stroke-[1.5]" />
      </span>
    );
  }
  return (
    <span className={boxClass}>
      {media === 'image' ? (
        <img
          src={thumbnailSrc ?? src}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          onError={onError}
          className="size-full object-cover"
        />
      ) : (
        <SilentClip
          // Browsers show a frame of the original only after seeking.
          src={serviceMediaSrc(usedDerivatives?.preview_url ?? '') ?? `${src}#t=0.1`}
          poster={thumbnailSrc ?? undefined}
          preload={thumbnailSrc ? 'none' : 'metadata'}
          onError={onError}
          className="size-full object-cover"
        />
      )}
    </span>
  );
}
