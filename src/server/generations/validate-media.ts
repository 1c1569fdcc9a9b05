import { asInputOf, type InputOf } from '#contract/task-input.ts';
import type { TaskId } from '#contract/ids.ts';
import type { MediaLengths } from '#contract/estimate.ts';
import type { MediaKind } from '#contract/task.ts';
import { EDIT_REFERENCE_SECONDS, EDIT_SOURCE_SECONDS } from '#contract/tasks/video-edit.ts';
import type { InputReference } from '#contract/extract-references.ts';

/** What is known of a reference's medium. */
export interface MediaFacts {
  kind: MediaKind;
  /** null: it has none, or nobody knows. */
  duration_seconds: number | null;
}
/** By path of the reference. */
export type MediaFactsByPath = ReadonlyMap<string, MediaFacts>;

export interface MediaViolation {
  /** Below `input`. */
  path: string;
  /** A sentence for the person. */
  message: string;
}

const KIND_NAMES = { image: 'a picture', video: 'a video', audio: 'a sound file' } as const satisfies Record<
  MediaKind,
  string
>;

/**
 * What the schema can't judge of an input: kinds and lengths of its media, as far as they are known, and times that
 * exclude each other. Judged when a generation is created, and again with everything known before it runs.
 */
export function validateMedia<Task extends TaskId>(
  task: Task,
  input: Readonly<Record<string, unknown>>,
  references: readonly InputReference[],
  known: MediaFactsByPath,
): MediaViolation | null {
  const rule: TaskRule<Task> | undefined = TASK_RULES[task];
  return validateMediaKinds(references, known) ?? rule?.(asInputOf(task, input), known) ?? null;
}

/** A medium that is not of the kind that its field takes. */
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
      message: `Source and reference videos together have ${roundSeconds(total)} seconds; at most ${EDIT_SOURCE_SECONDS.max} are possible.`,
    };
  },
};

/** Containers round to their frames: a clip cut at 30 seconds may state a little more. */
const LENGTH_TOLERANCE_SECONDS = 0.05;

interface SecondsRange {
  min: number;
  max: number;
}
const isInRange = (seconds: number, { min, max }: SecondsRange) =>
  seconds >= min - LENGTH_TOLERANCE_SECONDS && seconds <= max + LENGTH_TOLERANCE_SECONDS;
const roundSeconds = (seconds: number) => Number(seconds.toFixed(1));
const lengthMessage = (what: string, seconds: number, { min, max }: SecondsRange) =>
  `${what} must have ${min} to ${max} seconds; it has ${roundSeconds(seconds)}.`;

/** The lengths that `estimate` takes. */
export function toMediaLengths(known: MediaFactsByPath): MediaLengths {
  const video_seconds = known.get('video')?.duration_seconds;
  const audio_seconds = known.get('audio')?.duration_seconds;
  return {
    ...(video_seconds == null ? {} : { video_seconds }),
    ...(audio_seconds == null ? {} : { audio_seconds }),
  };
}
