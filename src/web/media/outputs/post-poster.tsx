import { Clapperboard, Images } from 'lucide-react';
import { useEffect, useState } from 'react';
import { cx } from '#web/ui/cx.ts';
import { postPosters } from './post-posters.ts';
import { formatTimecode, type SocialPost } from './read-output-data.ts';

const HOVER_DELAY_MS = 250;
const SLIDE_MS = 1100;

/** The cover of a post. While the pointer is on it, a video moves and a carousel shows its pictures in turn. */
export function PostPoster({ post }: { post: SocialPost }) {
  const { isCarousel, duration_seconds } = post;
  const { stills, clip, isSample } = postPosters(post);
  const [failed, setFailed] = useState(false);
  const [isHovered, setIsHovered] = useState(false);
  const isPlaying = usePlaying(isHovered);
  const slide = useSlide(isPlaying ? stills.length : 1);
  const Icon = isCarousel ? Images : Clapperboard;
  const src = stills[slide];
  return (
    <span
      className={cx(
        'relative flex w-full items-center justify-center overflow-hidden bg-hover text-ink-3',
        src && !failed ? (isCarousel ? 'aspect-4/5' : 'aspect-9/16') : 'aspect-video',
      )}
      onPointerEnter={({ pointerType }) => pointerType === 'mouse' && setIsHovered(true)}
      onPointerLeave={() => setIsHovered(false)}
    >
      {src && !failed ? (
        <img
          src={src}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          className="absolute inset-0 size-full object-cover"
          onError={() => setFailed(true)}
        />
      ) : (
        <Icon aria-hidden="true" className="size-6 stroke-[1.5]" />
      )}
      {clip && isPlaying && !failed ? (
        <img src={clip} alt="" draggable={false} className="absolute inset-0 size-full object-cover" />
      ) : null}
      {isSample ? <span className={cx(badgeClass, 'top-1.5 left-1.5')}>Sample</span> : null}
      {isCarousel || duration_seconds !== null ? (
        <span className={cx(badgeClass, 'right-1.5 bottom-1.5')}>
          {isCarousel ? `${slide + 1} / ${Math.max(1, post.image_urls.length)}` : formatTimecode(duration_seconds ?? 0)}
        </span>
      ) : null}
    </span>
  );
}

const badgeClass =
  'pointer-events-none absolute rounded-xs bg-black/65 px-1 text-2xs font-medium text-white tabular-nums';

function usePlaying(isHovered: boolean): boolean {
  const [isPlaying, setIsPlaying] = useState(false);
  useEffect(() => {
    if (!isHovered || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const timer = setTimeout(() => setIsPlaying(true), HOVER_DELAY_MS);
    return () => {
      clearTimeout(timer);
      setIsPlaying(false);
    };
  }, [isHovered]);
  return isPlaying;
}

function useSlide(count: number): number {
  const [slide, setSlide] = useState(0);
  useEffect(() => {
    if (count <= 1) return;
    const timer = setInterval(() => setSlide((at) => (at + 1) % count), SLIDE_MS);
    return () => {
      clearInterval(timer);
      setSlide(0);
    };
  }, [count]);
  return slide;
}
