import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState, type CSSProperties } from 'react';
import type { NumberFieldSpec } from '#contract/task.ts';
import { roundTime, constrainClipTimes } from '#web/forms/values/clip-time.ts';
import { ReferenceThumbnail } from './reference-thumbnail.tsx';
import { useTaskForm, useFormValue } from '../form-context.ts';
import { mediaQuery } from '#web/api/queries/media.ts';
import { serviceMediaId, useReferenceInfo } from '#web/api/reference-info.ts';
import type { Player } from '#web/media/player/use-player.ts';
import { VideoPlayer } from '#web/media/player/video-player.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { formatClipTime } from '#web/media/format-media.ts';
import { cx } from '#web/ui/cx.ts';

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
      maxHeight={first ? 'min(20rem, 38dvh)' : '18rem'}
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
  const durationSeconds = medium?.duration_seconds ?? null;
  const fillEnd = useEffectEvent((seconds: number) => {
    if (last && typeof form.values()[last.name] !== 'number') form.setValue(last.name, roundTime(seconds));
  });
  useEffect(() => {
    if (durationSeconds !== null) fillEnd(durationSeconds);
  }, [durationSeconds]);
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
        nowSeconds={at_seconds}
        onSeek={(seconds) => (frame ? onSet(frame, seconds, player) : player.seek(seconds))}
        onSet={(field, seconds) => onSet(field, seconds, player)}
      />
      {frame ? null : (
        <div className="flex flex-wrap gap-1 px-1">
          {times.map((field) => (
            <Button key={field.name} size="sm" onClick={() => onSet(field, at_seconds, player)}>
              <bdi>{field.label}</bdi> here
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

const STEP_SECONDS = 0.01;

// Half a handle wider than the track on each side: the center of a handle is at its time.
const rangeClass = 'absolute inset-y-0 -inset-x-1.5 appearance-none rounded-sm bg-transparent';
const handleClass = cx(
  'pointer-events-none',
  '[&::-webkit-slider-thumb]:pointer-events-auto [&::-webkit-slider-thumb]:h-7 [&::-webkit-slider-thumb]:w-3 [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-xs [&::-webkit-slider-thumb]:border [&::-webkit-slider-thumb]:border-amber-ink [&::-webkit-slider-thumb]:bg-amber',
  '[&::-moz-range-thumb]:pointer-events-auto [&::-moz-range-thumb]:h-7 [&::-moz-range-thumb]:w-3 [&::-moz-range-thumb]:rounded-xs [&::-moz-range-thumb]:border [&::-moz-range-thumb]:border-amber-ink [&::-moz-range-thumb]:bg-amber',
);
const seekerClass = 'opacity-0 [&::-webkit-slider-thumb]:w-3 [&::-moz-range-thumb]:w-3';

function ClipTrack({
  times,
  duration_seconds,
  nowSeconds,
  onSeek,
  onSet,
}: {
  times: readonly NumberFieldSpec[];
  duration_seconds: number | null;
  nowSeconds: number;
  onSeek: (seconds: number) => void;
  onSet: (field: NumberFieldSpec, seconds: number) => void;
}) {
  const endSeconds = duration_seconds ?? 0;
  const joinedTimes = useFormValue((values) => times.map(({ name }) => String(values[name] ?? '')).join(' '));
  const positions = joinedTimes.split(' ').map((text) => Math.min(endSeconds, Number(text)));
  const toPercent = (seconds: number) => `${endSeconds > 0 ? (seconds / endSeconds) * 100 : 0}%`;
  const [from = 0, to] = positions;
  const highlightStyle: CSSProperties =
    to === undefined
      ? { left: 0, right: `calc(100% - ${toPercent(from)})` }
      : { left: toPercent(from), right: `calc(100% - ${toPercent(to)})` };
  const inputProps = { min: 0, max: endSeconds, step: STEP_SECONDS, disabled: duration_seconds === null };
  return (
    <div className="relative mx-2 h-9">
      <span aria-hidden="true" className="absolute inset-x-0 top-3 h-3 rounded-xs bg-press" />
      <span aria-hidden="true" style={highlightStyle} className="absolute top-3 h-3 bg-amber/50" />
      <input
        type="range"
        {...inputProps}
        aria-label="Position in the video"
        aria-valuetext={formatClipTime(nowSeconds)}
        value={nowSeconds}
        onChange={(event) => onSeek(Number(event.target.value))}
        className={cx(rangeClass, seekerClass)}
      />
      <span
        aria-hidden="true"
        style={{ left: toPercent(nowSeconds) }}
        className="pointer-events-none absolute top-0.5 h-8 w-px bg-ink"
      />
      {times.map((field, index) => (
        <input
          type="range"
          {...inputProps}
          key={field.name}
          aria-label={field.label}
          aria-valuetext={formatClipTime(positions[index] ?? 0)}
          value={positions[index] ?? 0}
          onChange={(event) => onSet(field, Number(event.target.value))}
          className={cx(rangeClass, handleClass)}
        />
      ))}
    </div>
  );
}
