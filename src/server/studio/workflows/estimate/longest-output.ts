import type { TaskId } from '#contract/ids.ts';
import type { MediaLengths } from '#contract/money/estimate.ts';

type Input = Readonly<Record<string, unknown>>;
type Lengths = Pick<MediaLengths, 'video_seconds' | 'audio_seconds'>;

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

function longestTrim({ start_seconds, end_seconds }: Input, { video_seconds }: Lengths): number | undefined {
  const start = numberOf(start_seconds) ?? 0;
  const ends = [numberOf(end_seconds), video_seconds].filter((end) => end !== undefined);
  return ends.length === 0 ? undefined : Math.max(0, Math.min(...ends) - start);
}

/** Tasks whose output lasts as their input says. */
const LONGEST: { readonly [Task in TaskId]?: (input: Input, lengths: Lengths) => number | undefined } = {
  'video.create': ({ duration_seconds }) => numberOf(duration_seconds),
  'video.edit': (_input, { video_seconds }) => video_seconds,
  'video.trim': longestTrim,
  'video.extract_audio': (_input, { video_seconds }) => video_seconds,
  'video.add_audio': (_input, { video_seconds }) => video_seconds,
  'video.lipsync': ({ sync_mode }, lengths) => {
    const { video_seconds, audio_seconds } = boundLipsync(sync_mode, lengths);
    return sync_mode === 'silence' ? video_seconds : audio_seconds;
  },
};

/** @param lengths the most that the media of the input last @returns seconds; undefined: not known before the run */
export function longestOutput(task: TaskId, input: Input, lengths: Lengths): number | undefined {
  const seconds = LONGEST[task]?.(input, lengths);
  // A clip ends with a whole frame and with the sound of it, a little after what was asked for.
  return seconds === undefined ? undefined : Math.floor(seconds) + 1;
}

/** A lip sync that ends with the shorter file lasts no longer than the one whose length is known. */
export function boundLipsync(syncMode: unknown, { video_seconds, audio_seconds }: Lengths): Lengths {
  const known = [video_seconds, audio_seconds].filter((seconds) => seconds !== undefined);
  if (syncMode === 'cut_off' && known.length > 0)
    return { video_seconds: Math.min(...known), audio_seconds: Math.min(...known) };
  return {
    ...(video_seconds !== undefined && { video_seconds }),
    ...(audio_seconds !== undefined && { audio_seconds }),
  };
}
