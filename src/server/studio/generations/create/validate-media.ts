import { asInputOf, type InputOf, type InputReference } from '#contract/task-input.ts';
import type { TaskId } from '#contract/ids.ts';
import type { MeasuredFile, MediaLengths } from '#contract/money/estimate.ts';
import type { MediaKind } from '#contract/task.ts';
import { EDIT_REFERENCE_SECONDS, EDIT_SOURCE_SECONDS } from '#contract/tasks/video-edit.ts';

export interface MediaFacts {
  kind: MediaKind;
  duration_seconds: number | null;
  width?: number | null;
  height?: number | null;
}
type MediaFactsByPath = ReadonlyMap<string, MediaFacts>;

interface MediaViolation {
  path: string;
  message: string;
  /** By default 400. */
  status?: 422;
}

const KIND_NAMES = { image: 'an image', video: 'a video', audio: 'an audio file' } as const satisfies Record<
  MediaKind,
  string
>;

/**
 * Validates what the input schema cannot: kinds and lengths of media, as far as they are known, and times that
 * contradict each other. Runs when a generation is created and again, with all facts known, before it runs.
 */
export function validateMedia<Task extends TaskId>(
  { task, model_version }: { task: Task; model_version?: number | null | undefined },
  input: Readonly<Record<string, unknown>>,
  references: readonly InputReference[],
  known: MediaFactsByPath,
): MediaViolation | null {
  // Added models have their own fields, and limits that only their provider knows.
  const rule: TaskRule<Task> | undefined = model_version == null ? TASK_RULES[task] : undefined;
  return (
    validateMediaKinds(references, known) ??
    validateMasks(references, known) ??
    rule?.(asInputOf(task, input), known) ??
    null
  );
}

export function validateMediaKinds(
  references: readonly InputReference[],
  known: MediaFactsByPath,
): MediaViolation | null {
  for (const { path, kind } of references) {
    const medium = known.get(path);
    if (!medium || medium.kind === kind) continue;
    return { path, message: `This must be ${KIND_NAMES[kind]}; the file is ${KIND_NAMES[medium.kind]}.` };
  }
  return null;
}

/** Decision: Masks */
function validateMasks(references: readonly InputReference[], known: MediaFactsByPath): MediaViolation | null {
  for (const { path, mask } of references) {
    if (mask && !references.some((each) => each.path === mask.of))
      return { path, message: 'A mask needs its image. Add the image, or remove the mask.', status: 422 };
    const [own, picture] = [known.get(path), mask && known.get(mask.of)].map((facts) => facts && sizeOf(facts));
    if (!own || !picture || own === picture) continue;
    const message = `A mask must have the size of its image. The mask is ${own}, the image ${picture} pixels.`;
    return { path, message, status: 422 };
  }
  return null;
}

const sizeOf = ({ width, height }: MediaFacts): string | null => (width && height ? `${width} × ${height}` : null);

type TaskRule<Task extends TaskId> = (input: InputOf<Task>, known: MediaFactsByPath) => MediaViolation | null;

const TASK_RULES: { readonly [Task in TaskId]?: TaskRule<Task> } = {
  'video.trim': ({ start_seconds, end_seconds }) =>
    end_seconds > start_seconds ? null : { path: 'end_seconds', message: 'The end must be after the start.' },
  'video.edit': (_input, known) => {
    const source = known.get('video')?.duration_seconds;
    if (source != null && !isInRange(source, EDIT_SOURCE_SECONDS)) {
      return { path: 'video', message: lengthMessage('The video', source, EDIT_SOURCE_SECONDS) };
    }
    let total = source ?? 0;
    for (const [path, { duration_seconds }] of known) {
      if (!path.startsWith('reference_videos.') || duration_seconds === null) continue;
      if (!isInRange(duration_seconds, EDIT_REFERENCE_SECONDS)) {
        return { path, message: lengthMessage('A reference video', duration_seconds, EDIT_REFERENCE_SECONDS) };
      }
      total += duration_seconds;
    }
    if (total <= EDIT_SOURCE_SECONDS.max + LENGTH_TOLERANCE_SECONDS) return null;
    return {
      path: 'reference_videos',
      message: `The video and its reference videos may be at most ${EDIT_SOURCE_SECONDS.max} seconds long together; they are ${roundSeconds(total)} seconds long.`,
    };
  },
};

/** Containers round to whole frames, so a clip cut at 30 seconds may be slightly longer. */
const LENGTH_TOLERANCE_SECONDS = 0.05;

interface SecondsRange {
  min: number;
  max: number;
}
const isInRange = (seconds: number, { min, max }: SecondsRange) =>
  seconds >= min - LENGTH_TOLERANCE_SECONDS && seconds <= max + LENGTH_TOLERANCE_SECONDS;
const roundSeconds = (seconds: number) => Number(seconds.toFixed(1));
const lengthMessage = (subject: string, seconds: number, { min, max }: SecondsRange) =>
  `${subject} must be ${min} to ${max} seconds long; it is ${roundSeconds(seconds)}.`;

/** What the media of an order say about its price: lengths, and for added models the files by path. */
export function toMediaLengths(
  { model_version }: { model_version?: number | null | undefined },
  known: MediaFactsByPath,
): MediaLengths {
  if (model_version != null)
    return { files: Object.fromEntries([...known].map(([path, facts]) => [path, toMeasuredFile(facts)])) };
  const videoSeconds = known.get('video')?.duration_seconds;
  const audioSeconds = known.get('audio')?.duration_seconds;
  return {
    ...(videoSeconds == null ? {} : { video_seconds: videoSeconds }),
    ...(audioSeconds == null ? {} : { audio_seconds: audioSeconds }),
  };
}

type Measurable = { [Name in 'duration_seconds' | 'width' | 'height']?: number | null | undefined };

export const toMeasuredFile = ({ duration_seconds, width, height }: Measurable): MeasuredFile => ({
  ...(duration_seconds == null ? {} : { seconds: duration_seconds }),
  ...(width == null ? {} : { width }),
  ...(height == null ? {} : { height }),
});
