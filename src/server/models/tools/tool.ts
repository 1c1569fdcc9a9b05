import type { TaskId } from '#contract/ids.ts';
import { carryMarks } from '#server/platform/media/marks/carry-marks.ts';
import type { FileMark } from '#server/platform/media/marks/read-marks.ts';
import type { MediaTools } from '#server/platform/media/media-tools.ts';
import { EngineError, type EngineJob, type EngineJobOf, type EngineResult } from '#server/models/engine/engine.ts';

export type Tool<Task extends TaskId> = (tools: MediaTools, job: EngineJobOf<Task>) => Promise<EngineResult>;

/** The media or the parameters are invalid. @param message a sentence for the user */
export const invalidInputError = (message: string, cause?: unknown): EngineError =>
  new EngineError('invalid_media', message, { cause });

/** Carries the marks of origin of all sources over, which ffmpeg drops with the rest of their metadata. */
export async function withSourceMarks(
  { references }: Pick<EngineJob, 'references'>,
  result: EngineResult,
): Promise<EngineResult> {
  const sources = references.map(({ file }) => file);
  const lost = new Set<FileMark>();
  for (const file of result.files) for (const mark of await carryMarks(sources, file)) lost.add(mark);
  return { ...result, lost_marks: [...lost] };
}
