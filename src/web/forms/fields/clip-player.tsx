import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import type { NumberFieldSpec } from '#contract/task.ts';
import { roundTime, constrainClipTimes } from '../clip-time.ts';
import { ClipTrack } from './clip-track.tsx';
import { ReferenceThumbnail } from './reference-thumbnail.tsx';
import { useTaskForm, useFormValue } from '../form-context.ts';
import { mediaQuery } from '#web/api/queries/media.ts';
import { serviceMediaId, useReferenceInfo } from '#web/api/reference-info.ts';
import type { Player } from '#web/media/player/use-player.ts';
import { VideoPlayer } from '#web/media/player/video-player.tsx';
import { Button } from '#web/ui/button.tsx';

export interface ClipPlayerProps {
  url: string;
  /** None, one for a frame or two for a clip. */
  times: readonly NumberFieldSpec[];
}

/** A single time follows the playhead, so that the shown frame is the selected one. */
export function ClipPlayer({ url, times }: ClipPlayerProps) {
  const { form } = useTaskForm();
  const info = useReferenceInfo(url);
  const [broken, setBroken] = useState(false);
  const [first, ...others] = times;
  const frame = others.length === 0 ? first : undefined;
  if (broken) return <UnplayableClip url={url} times={times} />;
  const setTime = (field: NumberFieldSpec, seconds: number, { duration_seconds, seek }: Player) => {
    const changes = constrainClipTimes(times, form.values(), field, seconds, lastTime(duration_seconds, frame));
    seek(changes[field.name] ?? seconds);
    form.setValues(changes);
    form.touch(field.name);
  };
  return (
    <VideoPlayer
      video={{ url, width: info?.width ?? null, height: info?.height ?? null, derivatives: info?.derivatives }}
      label="Selected video"
      max_height={first ? 'min(20rem, 38dvh)' : '18rem'}
      renderTimeline={
        first && ((player) => <ClipTimeline times={times} frame={frame} player={player} onSet={setTime} />)
      }
      onStop={(player) => frame && setTime(frame, player.at_seconds, player)}
      onError={() => setBroken(true)}
    />
  );
}

/** Small copies are made in the background, a moment after an upload. */
const POSTER_POLL_MS = 2_000;
const MAX_POSTER_POLLS = 8;

/** Its picture, made by the service, in place of the player. */
function UnplayableClip({ url, times }: ClipPlayerProps) {
  const { form } = useTaskForm();
  const id = serviceMediaId(url);
  const { data: medium } = useQuery({
    ...mediaQuery(id ?? ''),
    enabled: id !== null,
    refetchInterval: ({ state }) =>
      state.data?.derivatives || state.dataUpdateCount > MAX_POSTER_POLLS ? false : POSTER_POLL_MS,
  });
  const last = times.length > 1 ? times.at(-1) : undefined;
  const duration_seconds = medium?.duration_seconds ?? null;
  const fillEnd = useEffectEvent((seconds: number) => {
    if (last && typeof form.values()[last.name] !== 'number') form.setValue(last.name, roundTime(seconds));
  });
  useEffect(() => {
    if (duration_seconds !== null) fillEnd(duration_seconds);
  }, [duration_seconds]);
  const { derivatives } = medium ?? {};
  return (
    <>
      <ReferenceThumbnail
        key={String(derivatives != null)}
        url={url}
        media="video"
        derivatives={derivatives}
        className="aspect-video w-full rounded-md"
      />
      <p className="text-sm text-ink-3">
        This browser can’t play the video.{times.length > 0 ? ' Enter the times below.' : null}
      </p>
    </>
  );
}

/** No frame starts at the very end. */
const lastTime = (duration_seconds: number | null, frame: NumberFieldSpec | undefined) =>
  (duration_seconds ?? Number.POSITIVE_INFINITY) - (frame ? 0.01 : 0);

interface ClipTimelineProps extends Pick<ClipPlayerProps, 'times'> {
  /** Set if there is only one time. */
  frame: NumberFieldSpec | undefined;
  player: Player;
  onSet: (field: NumberFieldSpec, seconds: number, player: Player) => void;
}

function ClipTimeline({ times, frame, player, onSet }: ClipTimelineProps) {
  const { form } = useTaskForm();
  const { duration_seconds, at_seconds, playing } = player;
  const fillEnd = useEffectEvent((end_seconds: number | null) => {
    const last = times.at(-1);
    if (end_seconds === null || !last || typeof form.values()[last.name] === 'number') return;
    form.setValue(last.name, roundTime(end_seconds));
  });
  useEffect(() => fillEnd(duration_seconds), [duration_seconds]);
  const typedSeconds = useFormValue((values) => (frame ? values[frame.name] : undefined));
  const seekToTyped = useEffectEvent((seconds: unknown) => {
    if (typeof seconds !== 'number' || playing) return;
    player.seek(roundTime(Math.max(0, Math.min(lastTime(duration_seconds, frame), seconds))));
  });
  useEffect(() => seekToTyped(typedSeconds), [typedSeconds]);
  const playSelection = () => {
    const [from, to] = times.map(({ name }) => form.values()[name]);
    if (typeof from === 'number' && typeof to === 'number') player.playRange(from, to);
  };
  return (
    <div className="flex flex-col gap-1 px-0.5 pt-1 pb-1.5">
      <ClipTrack
        times={times}
        duration_seconds={duration_seconds}
        now_seconds={at_seconds}
        onSeek={(seconds) => (frame ? onSet(frame, seconds, player) : player.seek(seconds))}
        onSet={(field, seconds) => onSet(field, seconds, player)}
      />
      {frame ? null : (
        <div className="flex flex-wrap gap-1 px-1">
          {times.map((field) => (
            <Button key={field.name} size="sm" onClick={() => onSet(field, at_seconds, player)}>
              {field.label} here
            </Button>
          ))}
          <Button size="sm" variant="ghost" className="ml-auto" onClick={playSelection}>
            Play selection
          </Button>
        </div>
      )}
    </div>
  );
}
