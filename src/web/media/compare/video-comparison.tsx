import { type RefObject, useEffect, useRef, useState } from 'react';
import type { MediaItem } from '#contract/resources/media.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { assetSrc } from '#web/api/reference-info.ts';
import { mediaTitle } from '#web/media/library/media-labels.ts';
import { useCommands } from '#web/ui/hooks/commands.ts';
import { cx } from '#web/ui/cx.ts';
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx';
import { VideoElement } from '#web/media/player/media-element.tsx';
import { PlayerBar } from '#web/media/player/player-bar.tsx';
import { usePlayer, playerCommands } from '#web/media/player/use-player.ts';
import type { PairViewProps } from './pair-view-props.ts';
import { synchronizePlayback } from './synchronize-playback.ts';

const SYNC_INTERVAL_MS = 100;
const AUDIO_OPTIONS = [
  { value: 'A', label: 'Audio A' },
  { value: 'B', label: 'Audio B' },
] as const;

export function VideoComparison({ pair, names, onError }: PairViewProps) {
  const catalogNames = useCatalogNames();
  const one = useRef<HTMLVideoElement>(null);
  const other = useRef<HTMLVideoElement>(null);
  const leadIsOther = (pair[1].duration_seconds ?? 0) > (pair[0].duration_seconds ?? 0);
  const [lead, follower] = leadIsOther ? [other, one] : [one, other];
  const player = usePlayer(lead, pair[leadIsOther ? 1 : 0].duration_seconds);
  const [audioSource, setAudioSource] = useState<'A' | 'B'>('A');
  useSyncedPlayback(lead, follower);
  useCommands(playerCommands('Videos', player));
  useEffect(() => {
    if (one.current) one.current.muted = player.muted || audioSource !== 'A';
    if (other.current) other.current.muted = player.muted || audioSource !== 'B';
  }, [player.muted, audioSource]);
  return (
    <>
      <div className="flex min-h-0 flex-1 gap-px bg-line max-sm:flex-col">
        {pair.map((medium, at) => (
          <div key={medium.id} className="relative min-h-0 min-w-0 flex-1 bg-sunken">
            <ComparedVideo
              medium={medium}
              element={at === 0 ? one : other}
              label={`${'AB'[at]}: ${mediaTitle(medium, catalogNames)}`}
              onPress={player.toggle}
              onError={() => onError(medium.url)}
            />
            <span className="absolute top-3 left-3 flex max-w-[85%]">{names[at]}</span>
          </div>
        ))}
      </div>
      <PlayerBar player={player} what="Videos">
        <SegmentedControl
          label="Audio track"
          size="sm"
          value={audioSource}
          options={AUDIO_OPTIONS}
          onChange={setAudioSource}
          className={cx(player.muted && 'opacity-50')}
        />
      </PlayerBar>
    </>
  );
}

interface ComparedVideoProps {
  medium: MediaItem;
  element: RefObject<HTMLVideoElement | null>;
  label: string;
  onPress: () => void;
  onError: () => void;
}

function ComparedVideo({ medium, element, label, onPress, onError }: ComparedVideoProps) {
  const poster = medium.derivatives?.thumbnails.at(-1);
  return (
    <VideoElement
      ref={element}
      src={assetSrc(medium.url)}
      poster={poster && assetSrc(poster.url)}
      aria-label={label}
      preload="auto"
      onClick={onPress}
      onError={onError}
      className="absolute inset-0 size-full object-contain"
    />
  );
}

function useSyncedPlayback(
  lead: RefObject<HTMLVideoElement | null>,
  follower: RefObject<HTMLVideoElement | null>,
): void {
  useEffect(() => {
    const [leading, following] = [lead.current, follower.current];
    if (!leading || !following) return;
    const correct = () => {
      if (following.seeking || !Number.isFinite(following.duration)) return;
      const { seekSeconds, rate, playing } = synchronizePlayback(
        { at_seconds: leading.currentTime, rate: leading.playbackRate, playing: !leading.paused && !leading.ended },
        { at_seconds: following.currentTime, duration_seconds: following.duration },
      );
      if (seekSeconds !== null) following.currentTime = seekSeconds;
      if (following.playbackRate !== rate) following.playbackRate = rate;
      if (playing && following.paused) void following.play().catch(() => undefined);
      if (!playing && !following.paused) following.pause();
    };
    const events = ['play', 'pause', 'seeking', 'seeked', 'ratechange', 'ended'] as const;
    for (const event of events) leading.addEventListener(event, correct);
    following.addEventListener('loadedmetadata', correct);
    following.addEventListener('seeked', correct);
    const timer = setInterval(correct, SYNC_INTERVAL_MS);
    return () => {
      clearInterval(timer);
      for (const event of events) leading.removeEventListener(event, correct);
      following.removeEventListener('loadedmetadata', correct);
      following.removeEventListener('seeked', correct);
    };
  }, [lead, follower]);
}
