import type { TaskId } from '#contract/ids.ts';
import { carryXmp } from '#server/platform/media/marks/carry-xmp.ts';
import type { MediaTools } from '#server/platform/media/media-tools.ts';
import { EngineError, type EngineJob, type EngineJobOf, type EngineResult } from '#server/models/engine/engine.ts';

export type Tool<Task extends TaskId> = (tools: MediaTools, job: EngineJobOf<Task>) => Promise<EngineResult>;

/** The media or the parameters are invalid. @param message a sentence for the user */
export const invalidInputError = (message: string, cause?: unknown): EngineError =>
  new EngineError('invalid_media', message, { cause });

/** Carries the XMP packet of the sources over, which ffmpeg drops with the rest of their metadata. */
export async function withSourceXmp(
  { references }: Pick<EngineJob, 'references'>,
  result: EngineResult,
): Promise<EngineResult> {
  const sources = references.map(({ file }) => file);
  let isLost = false;
  for (const file of result.files) isLost = (await carryXmp(sources, file)) || isLost;
  return { ...result, lost_marks: isLost ? ['xmp'] : [] };
}
