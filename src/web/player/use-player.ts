import { type RefObject, useEffect, useState } from 'react';
import { stepFrame, watchFrames } from '#web/player/step-frame.ts';

export const RATES = [0.25, 0.5, 1, 1.5, 2] as const;
/** Whether players are silent: kept from one medium to the next, until the page is reloaded. */
let are_muted = false;

/** What a step is in a sound. */
const SOUND_STEP_SECONDS = 0.1;

interface PlayerState {
  playing: boolean;
  at_seconds: number;
  duration_seconds: number | null;
  rate: number;
  muted: boolean;
}

/** What a clip or a sound does, and what can be done with it. */
export interface Player extends PlayerState {
  toggle: () => void;
  seek: (seconds: number) => void;
  setRate: (rate: number) => void;
  toggleMuted: () => void;
  /** A frame on or back; of a sound a tenth of a second. */
  step: (by: 1 | -1) => void;
}

type Element = RefObject<HTMLMediaElement | null>;

/** Drives a `<video>` or `<audio>`. Give the component a key for each medium. */
export function usePlayer(element: Element, known_seconds: number | null): Player {
  const [state, setState] = useState<PlayerState>({
    playing: false,
    at_seconds: 0,
    duration_seconds: known_seconds,
    rate: 1,
    muted: are_muted,
  });
  useEffect(() => {
    const { current } = element;
    if (!current) return;
    setMuted(current, are_muted);
    const unfollow = follow(current, () => setState(stateOf(current, known_seconds)));
    const unwatch = current instanceof HTMLVideoElement ? watchFrames(current) : undefined;
    return () => {
      unfollow();
      unwatch?.();
    };
  }, [element, known_seconds]);
  return { ...state, ...actsOn(element) };
}

const stateOf = (media: HTMLMediaElement, known_seconds: number | null): PlayerState => ({
  playing: !media.paused,
  at_seconds: media.currentTime,
  duration_seconds: Number.isFinite(media.duration) ? media.duration : known_seconds,
  rate: media.playbackRate,
  muted: media.muted,
});

const EVENTS = ['loadedmetadata', 'seeking', 'seeked', 'pause', 'ended', 'ratechange', 'volumechange'] as const;

/** Tells of every change; while it plays frame by frame, since its own events come four times a second. */
function follow(media: HTMLMediaElement, onChange: () => void): () => void {
  let frame = 0;
  const onFrame = () => {
    onChange();
    if (!media.paused) frame = requestAnimationFrame(onFrame);
  };
  for (const event of EVENTS) media.addEventListener(event, onChange);
  media.addEventListener('play', onFrame);
  onChange();
  return () => {
    cancelAnimationFrame(frame);
    for (const event of EVENTS) media.removeEventListener(event, onChange);
    media.removeEventListener('play', onFrame);
  };
}

function setMuted(media: HTMLMediaElement, muted: boolean) {
  media.muted = muted;
  are_muted = muted;
}

function step(media: HTMLMediaElement, by: 1 | -1): void {
  if (media instanceof HTMLVideoElement) stepFrame(media, by);
  else media.currentTime = Math.max(0, media.currentTime + by * SOUND_STEP_SECONDS);
}

function actsOn(element: Element): Omit<Player, keyof PlayerState> {
  const act = (acting: (media: HTMLMediaElement) => void) => {
    if (element.current) acting(element.current);
  };
  return {
    toggle: () =>
      act((media) => {
        if (media.paused) void media.play().catch(() => undefined);
        else media.pause();
      }),
    seek: (seconds) =>
      act((media) => {
        media.currentTime = seconds;
      }),
    setRate: (rate) =>
      act((media) => {
        media.playbackRate = rate;
      }),
    toggleMuted: () => act((media) => setMuted(media, !media.muted)),
    step: (by) => act((media) => step(media, by)),
  };
}
