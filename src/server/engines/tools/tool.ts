import type { TaskId } from '#contract/ids.ts';
import type { MediaTools } from '#server/media/media-tools.ts';
import { EngineError, type EngineJobOf, type EngineResult } from '../engine.ts';

/** One media tool: reads the job's references and writes its outputs into the job's folder. */
export type Tool<Task extends TaskId> = (tools: MediaTools, job: EngineJobOf<Task>) => Promise<EngineResult>;

/** The media or what is asked of them is at fault; `message` is a sentence for the person. */
export const invalidInputError = (message: string, cause?: unknown): EngineError =>
  new EngineError('invalid_media', message, { cause });
