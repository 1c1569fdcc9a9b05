interface LeadPlayback {
  at_seconds: number;
  rate: number;
  playing: boolean;
}

interface FollowerPlayback {
  at_seconds: number;
  duration_seconds: number;
}

/** Correction that brings the follower back in sync. */
interface PlaybackCorrection {
  /** Position to seek to; null to stay. */
  seekSeconds: number | null;
  rate: number;
  /** False for a clip that has ended: it shows its last frame until the lead ends. */
  playing: boolean;
}

/** Half a frame at 25 fps, which nobody notices. */
const SYNC_TOLERANCE_SECONDS = 0.02;
/** Larger offsets are seeked, smaller ones are caught up by a small change of rate. */
const SEEK_THRESHOLD_SECONDS = 0.25;
const MAX_RATE_CHANGE = 0.12;

/** Computes how to keep a clip in sync with the lead, several times a second. */
export function synchronizePlayback(
  { at_seconds, rate, playing }: LeadPlayback,
  following: FollowerPlayback,
): PlaybackCorrection {
  const endSeconds = following.duration_seconds;
  const targetSeconds = Math.min(at_seconds, endSeconds);
  const offsetSeconds = targetSeconds - following.at_seconds;
  const shouldPlay = playing && at_seconds < endSeconds;
  if (!shouldPlay) {
    const isOff = Math.abs(offsetSeconds) > SYNC_TOLERANCE_SECONDS / 4;
    return { seekSeconds: isOff ? targetSeconds : null, rate, playing: false };
  }
  if (Math.abs(offsetSeconds) > SEEK_THRESHOLD_SECONDS) return { seekSeconds: targetSeconds, rate, playing: true };
  if (Math.abs(offsetSeconds) <= SYNC_TOLERANCE_SECONDS) return { seekSeconds: null, rate, playing: true };
  const change = Math.max(-MAX_RATE_CHANGE, Math.min(MAX_RATE_CHANGE, offsetSeconds));
  return { seekSeconds: null, rate: rate * (1 + change), playing: true };
}
