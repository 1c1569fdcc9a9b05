import type { TaskId } from '#contract/ids.ts';
import type { MediaTools } from '#server/media/media-tools.ts';
import { EngineError, type EngineJobOf, type EngineResult } from '../engine.ts';

export type Tool<Task extends TaskId> = (tools: MediaTools, job: EngineJobOf<Task>) => Promise<EngineResult>;

/** The media or the parameters are invalid. @param message a sentence for the user */
export const invalidInputError = (message: string, cause?: unknown): EngineError =>
  new EngineError('invalid_media', message, { cause });
