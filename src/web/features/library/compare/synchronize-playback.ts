export interface LeadPlayback {
  /** Where the leading clip is. */
  at_seconds: number;
  /** How fast both are to play. */
  rate: number;
  playing: boolean;
}

export interface FollowerPlayback {
  at_seconds: number;
  /** Where the following clip ends. */
  duration_seconds: number;
}

/** What brings the following clip into step. */
export interface PlaybackCorrection {
  /** Where to go at once; null: stay. */
  seek_seconds: number | null;
  /** How fast to play from here. */
  rate: number;
  /** Whether to play: one that has ended waits for the other on its last frame. */
  playing: boolean;
}

/** Nobody sees less: half a frame at 25 a second. */
const SYNC_TOLERANCE_SECONDS = 0.02;
/** More than this is jumped; less is caught up with unseen, by playing a little faster or slower. */
const SEEK_THRESHOLD_SECONDS = 0.25;
const MAX_RATE_CHANGE = 0.12;

/** How to keep a clip in step with another, judged many times a second. */
export function synchronizePlayback(
  { at_seconds, rate, playing }: LeadPlayback,
  following: FollowerPlayback,
): PlaybackCorrection {
  const end_seconds = following.duration_seconds;
  const wanted_seconds = Math.min(at_seconds, end_seconds);
  const behind_seconds = wanted_seconds - following.at_seconds;
  const plays = playing && at_seconds < end_seconds;
  if (!plays) {
    const off = Math.abs(behind_seconds) > SYNC_TOLERANCE_SECONDS / 4;
    return { seek_seconds: off ? wanted_seconds : null, rate, playing: false };
  }
  if (Math.abs(behind_seconds) > SEEK_THRESHOLD_SECONDS) return { seek_seconds: wanted_seconds, rate, playing: true };
  if (Math.abs(behind_seconds) <= SYNC_TOLERANCE_SECONDS) return { seek_seconds: null, rate, playing: true };
  const change = Math.max(-MAX_RATE_CHANGE, Math.min(MAX_RATE_CHANGE, behind_seconds));
  return { seek_seconds: null, rate: rate * (1 + change), playing: true };
}
