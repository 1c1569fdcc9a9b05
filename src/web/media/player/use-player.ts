import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { type Command, viewCommand } from '#web/ui/hooks/commands.ts';
import { isStepping, stepFrame, STEPPED, watchFrames } from './step-frame.ts';

export const PLAYBACK_RATES = [0.25, 0.5, 1, 1.5, 2] as const;
/** Applies to all players until the page is reloaded. */
let isMutedByDefault = false;

const SOUND_STEP_SECONDS = 0.1;

interface PlayerState {
  playing: boolean;
  at_seconds: number;
  duration_seconds: number | null;
  rate: number;
  muted: boolean;
}

export interface Player extends PlayerState {
  toggle: () => void;
  playRange: (fromSeconds: number, toSeconds: number) => void;
  seek: (seconds: number) => void;
  setRate: (rate: number) => void;
  toggleMuted: () => void;
  step: (by: 1 | -1) => void;
}

type MediaElementRef = RefObject<HTMLMediaElement | null>;

/** The component needs a `key` per file. @param onStop is called after a pause and after frame steps */
export function usePlayer(
  element: MediaElementRef,
  knownSeconds: number | null,
  onStop?: (player: Player) => void,
): Player {
  const [state, setState] = useState<PlayerState>({
    playing: false,
    at_seconds: 0,
    duration_seconds: knownSeconds,
    rate: 1,
    muted: isMutedByDefault,
  });
  const actions = actionsOn(element);
  const onEvent = useEffectEvent((media: HTMLMediaElement, type?: string) => {
    if (type === 'pause') rangeEnds.delete(media);
    if (isStepping(media)) return;
    pauseAtRangeEnd(media);
    const next = readPlayerState(media, knownSeconds);
    setState(next);
    if (type === 'pause' || type === STEPPED) onStop?.({ ...next, ...actions });
  });
  useEffect(() => {
    const { current } = element;
    if (!current) return;
    setMuted(current, isMutedByDefault);
    const unsubscribe = subscribeToMedia(current, (type) => onEvent(current, type));
    const unwatch = current instanceof HTMLVideoElement ? watchFrames(current) : undefined;
    return () => {
      unsubscribe();
      unwatch?.();
    };
  }, [element]);
  return { ...state, ...actions };
}

const readPlayerState = (media: HTMLMediaElement, knownSeconds: number | null): PlayerState => ({
  playing: !media.paused,
  at_seconds: media.currentTime,
  duration_seconds: Number.isFinite(media.duration) ? media.duration : knownSeconds,
  rate: media.playbackRate,
  muted: media.muted,
});

/** While the page is hidden, only `timeupdate` fires. */
const MEDIA_EVENTS = [
  'loadedmetadata',
  'timeupdate',
  'seeking',
  'seeked',
  'pause',
  'ended',
  'ratechange',
  'volumechange',
  STEPPED,
];

/** Also notifies per animation frame during playback, because `timeupdate` fires only four times a second. */
function subscribeToMedia(media: HTMLMediaElement, onChange: (type?: string) => void): () => void {
  let frame = 0;
  const onFrame = () => {
    onChange();
    if (!media.paused) frame = requestAnimationFrame(onFrame);
  };
  const listener = ({ type }: Event) => onChange(type);
  for (const event of MEDIA_EVENTS) media.addEventListener(event, listener);
  media.addEventListener('play', onFrame);
  onChange();
  return () => {
    cancelAnimationFrame(frame);
    for (const event of MEDIA_EVENTS) media.removeEventListener(event, listener);
    media.removeEventListener('play', onFrame);
  };
}

const rangeEnds = new WeakMap<HTMLMediaElement, number>();

function pauseAtRangeEnd(media: HTMLMediaElement): void {
  const endSeconds = rangeEnds.get(media);
  if (endSeconds === undefined || media.seeking || media.currentTime < endSeconds) return;
  rangeEnds.delete(media);
  media.pause();
  media.currentTime = endSeconds;
}

function setMuted(media: HTMLMediaElement, muted: boolean) {
  media.muted = muted;
  isMutedByDefault = muted;
}

function stepMedia(media: HTMLMediaElement, by: 1 | -1): void {
  if (media instanceof HTMLVideoElement) stepFrame(media, by);
  else media.currentTime = Math.max(0, media.currentTime + by * SOUND_STEP_SECONDS);
}

function actionsOn(element: MediaElementRef): Omit<Player, keyof PlayerState> {
  const withMedia = (action: (media: HTMLMediaElement) => void) => {
    if (element.current) action(element.current);
  };
  const play = (media: HTMLMediaElement) => void media.play().catch(() => undefined);
  return {
    toggle: () =>
      withMedia((media) => {
        if (media.paused) play(media);
        else media.pause();
      }),
    playRange: (fromSeconds, toSeconds) =>
      withMedia((media) => {
        media.currentTime = fromSeconds;
        rangeEnds.set(media, toSeconds);
        play(media);
      }),
    seek: (seconds) =>
      withMedia((media) => {
        rangeEnds.delete(media);
        // Seeking to the current time would reload the frame and disturb the next step.
        if (media.currentTime !== seconds) media.currentTime = seconds;
      }),
    setRate: (rate) =>
      withMedia((media) => {
        media.playbackRate = rate;
      }),
    toggleMuted: () => withMedia((media) => setMuted(media, !media.muted)),
    step: (by) => withMedia((media) => stepMedia(media, by)),
  };
}

export function playerCommands(
  group: string,
  { toggle, step, toggleMuted }: Pick<Player, 'toggle' | 'step' | 'toggleMuted'>,
): Command[] {
  const command = viewCommand(group);
  return [
    command(' ', 'Play or pause', toggle),
    command('k', 'Play or pause', toggle),
    command(',', 'Previous frame', () => step(-1)),
    command('.', 'Next frame', () => step(1)),
    command('m', 'Mute or unmute', toggleMuted),
  ];
}
