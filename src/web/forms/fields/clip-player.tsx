import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent } from 'react';
import { Pause, Play, StepBack, StepForward } from 'lucide-react';
import type { NumberField } from '#contract/task.ts';
import { ClipTrack } from '#web/forms/fields/clip-track.tsx';
import { useForm, useFormValue } from '#web/forms/form-context.ts';
import { clipClock, roundTime, settleTimes } from '#web/forms/clip-time.ts';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';

/** One frame of the most common rates, near enough to step by. */
const FRAME_SECONDS = 1 / 25;
const HAIR_SECONDS = 0.005;

/**
 * A video on which times of the form are set: two of them a part, one of them a place. A single place is where the video
 * stands, so that the picture shown is the one that is taken.
 */
export function ClipPlayer({ src, times }: { src: string; times: readonly NumberField[] }) {
  const { form } = useForm();
  const video = useRef<HTMLVideoElement>(null);
  const [duration_seconds, setDuration] = useState<number>();
  const [now_seconds, setNow] = useState(0);
  const [playing, setPlaying] = useState(false);
  const [broken, setBroken] = useState(false);
  /** Where the part that is being looked at ends. */
  const stop_seconds = useRef<number>(null);

  const measure = useEffectEvent((element: HTMLVideoElement) => {
    if (!Number.isFinite(element.duration)) return;
    setDuration(element.duration);
    const last = times.at(-1);
    if (last && typeof form.values()[last.name] !== 'number') form.set(last.name, roundTime(element.duration));
  });
  useEffect(() => {
    const element = video.current;
    if (!element) return;
    const listener = () => measure(element);
    // What the browser has at hand already is measured before anybody listens.
    if (element.readyState >= HTMLMediaElement.HAVE_METADATA) listener();
    element.addEventListener('loadedmetadata', listener);
    return () => element.removeEventListener('loadedmetadata', listener);
  }, []);

  const [only, ...others] = times;
  const place = others.length === 0 ? only : undefined;
  const seek = (seconds: number) => {
    const element = video.current;
    if (!element) return;
    // What is shown is then what is taken: times are set to the hundredth, and at the very end there is no frame.
    const end = duration_seconds === undefined ? seconds : duration_seconds - (place ? 0.01 : 0);
    element.currentTime = roundTime(Math.max(0, Math.min(end, seconds)));
    setNow(element.currentTime);
  };
  const typed = useFormValue((values) => (place ? values[place.name] : undefined));
  const goToTyped = useEffectEvent((seconds: unknown) => {
    const element = video.current;
    if (!element || typeof seconds !== 'number' || Math.abs(element.currentTime - seconds) < HAIR_SECONDS) return;
    if (element.paused) seek(seconds);
  });
  useEffect(() => goToTyped(typed), [typed]);

  if (broken) return <p className="text-sm text-ink-3">This browser can’t play the video. Enter the times below.</p>;

  const set = (field: NumberField, seconds: number) => {
    form.assign(settleTimes(times, form.values(), field, seconds, duration_seconds));
    form.leave(field.name);
  };
  /** Moves the video, and with it the place where that is all there is to set. */
  const goTo = (seconds: number) => {
    seek(seconds);
    if (place) set(place, video.current?.currentTime ?? seconds);
  };
  const play = () => void video.current?.play().catch(() => setPlaying(false));
  const togglePlay = () => {
    stop_seconds.current = null;
    if (video.current?.paused) play();
    else video.current?.pause();
  };
  const stopAtEnd = (element: HTMLVideoElement, shown_seconds: number) => {
    const to = stop_seconds.current;
    if (to === null || element.seeking || shown_seconds < to) return;
    stop_seconds.current = null;
    element.pause();
    element.currentTime = to;
  };
  const playPart = () => {
    const [from, to] = times.map(({ name }) => form.values()[name]);
    const element = video.current;
    if (!element || typeof from !== 'number' || typeof to !== 'number') return;
    seek(from);
    stop_seconds.current = to;
    // `timeupdate` comes up to a quarter of a second late.
    const watch = (_now_ms: number, { mediaTime }: VideoFrameCallbackMetadata) => {
      stopAtEnd(element, mediaTime + FRAME_SECONDS);
      if (stop_seconds.current !== null) element.requestVideoFrameCallback(watch);
    };
    element.requestVideoFrameCallback(watch);
    play();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ',': -FRAME_SECONDS, '.': FRAME_SECONDS };
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    goTo(now_seconds + step);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys step by frames wherever focus is inside, as the buttons below do
    <section
      aria-label="Video"
      className="overflow-hidden rounded-md border border-line bg-surface"
      onKeyDown={onKeyDown}
    >
      <video
        ref={video}
        src={src}
        playsInline
        preload="auto"
        className="max-h-[min(20rem,38dvh)] w-full bg-black object-contain"
        onClick={togglePlay}
        onPlay={() => setPlaying(true)}
        onPause={({ currentTarget }) => {
          setPlaying(false);
          if (place) goTo(currentTarget.currentTime);
        }}
        onError={() => setBroken(true)}
        onTimeUpdate={({ currentTarget }) => {
          setNow(currentTarget.currentTime);
          stopAtEnd(currentTarget, currentTarget.currentTime);
        }}
      />
      <div className="flex flex-col gap-2 px-2 pt-2 pb-2.5">
        {duration_seconds === undefined ? null : (
          <ClipTrack
            times={times}
            duration_seconds={duration_seconds}
            now_seconds={now_seconds}
            onSeek={goTo}
            onSet={(field, seconds) => {
              goTo(seconds);
              if (!place) set(field, seconds);
            }}
          />
        )}
        <div className="flex flex-wrap items-center gap-1">
          <IconButton
            size="sm"
            label={playing ? 'Pause' : 'Play'}
            icon={
              playing ? <Pause aria-hidden="true" className="size-4" /> : <Play aria-hidden="true" className="size-4" />
            }
            onClick={togglePlay}
          />
          <IconButton
            size="sm"
            label="A frame back (,)"
            icon={<StepBack aria-hidden="true" className="size-4" />}
            onClick={() => goTo(now_seconds - FRAME_SECONDS)}
          />
          <IconButton
            size="sm"
            label="A frame on (.)"
            icon={<StepForward aria-hidden="true" className="size-4" />}
            onClick={() => goTo(now_seconds + FRAME_SECONDS)}
          />
          <span className="px-1.5 text-sm text-ink-2 tabular-nums">
            {clipClock(now_seconds)}
            {duration_seconds === undefined ? '' : ` / ${clipClock(duration_seconds)}`}
          </span>
          <span className="ml-auto flex flex-wrap gap-1">
            {times.length > 1 ? (
              <Button size="sm" variant="ghost" onClick={playPart}>
                Play selection
              </Button>
            ) : null}
            {place
              ? null
              : times.map((field) => (
                  <Button key={field.name} size="sm" onClick={() => set(field, now_seconds)}>
                    {field.label} here
                  </Button>
                ))}
          </span>
        </div>
      </div>
    </section>
  );
}
