import { Pause, Play } from 'lucide-react';
import { useRef, useState } from 'react';
import { ReferenceThumbnail } from './reference-thumbnail.tsx';
import { serviceMediaSrc } from '#web/api/reference-info.ts';
import { VideoElement } from '#web/media/player/media-element.tsx';
import { usePlayer } from '#web/media/player/use-player.ts';
import { cx } from '#web/ui/cx.ts';

/** Videos of other servers are not loaded. */
export function PlayableThumbnail({ url, name, className }: { url: string; name: string; className: string }) {
  const video = useRef<HTMLVideoElement>(null);
  const { playing, toggle } = usePlayer(video, null);
  const [failed, setFailed] = useState(false);
  const src = serviceMediaSrc(url);
  if (src === null || failed) return <ReferenceThumbnail url={url} media="video" className={className} />;
  const Icon = playing ? Pause : Play;
  return (
    <button
      type="button"
      aria-label={`${playing ? 'Pause' : 'Play'} ${name}`}
      onClick={toggle}
      className={cx('group/play relative flex items-center justify-center overflow-hidden bg-sunken', className)}
    >
      <VideoElement
        ref={video}
        src={`${src}#t=0.1`}
        loop
        preload="metadata"
        onError={() => setFailed(true)}
        className="size-full object-cover"
      />
      <span
        className={cx(
          'absolute right-1 bottom-1 flex size-6 items-center justify-center rounded-sm bg-canvas/85 text-ink-2 transition-opacity',
          playing && 'opacity-0 group-hover/play:opacity-100 group-focus-visible/play:opacity-100',
        )}
      >
        <Icon aria-hidden="true" className="size-3.5" />
      </span>
    </button>
  );
}
