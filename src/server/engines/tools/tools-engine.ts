import type { TaskId } from '#contract/ids.ts';
import { MediaError } from '#server/media/media-error.ts';
import type { MediaTools } from '#server/media/media-tools.ts';
import { probeFile } from '#server/media/probe-file.ts';
import { EngineError, type LocalEngine, type EngineJob } from '../engine.ts';
import { addAudio } from './add-audio.ts';
import { concat } from './concat.ts';
import { extractAudio } from './extract-audio.ts';
import { extractFrame } from './extract-frame.ts';
import { splitScenes } from './split-scenes.ts';
import type { Tool } from './tool.ts';
import { trim } from './trim.ts';

const TOOLS = {
  'video.trim': trim,
  'video.concat': concat,
  'video.extract_frame': extractFrame,
  'video.split_scenes': splitScenes,
  'video.extract_audio': extractAudio,
  'video.add_audio': addAudio,
} as const satisfies Partial<Record<TaskId, Tool>>;
type ToolTask = keyof typeof TOOLS;

const isToolTask = (task: TaskId): task is ToolTask => Object.hasOwn(TOOLS, task);

/** The video tools, on ffmpeg. Spec: Task contracts */
export function createToolsEngine(tools: MediaTools): LocalEngine {
  return {
    name: 'tools',
    supports: (task, model) => model === null && isToolTask(task),
    async run(job) {
      if (!isToolTask(job.task)) throw new EngineError('engine_failed', 'There is no tool for this task.');
      try {
        return await TOOLS[job.task](tools, job);
      } catch (error) {
        throw error instanceof MediaError ? asEngineError(await findMediaError(error, tools, job)) : error;
      }
    },
  };
}

/** ffmpeg does not say whether the media or something else is at fault: a second look at the media does. */
async function findMediaError(failure: MediaError, tools: MediaTools, job: EngineJob): Promise<MediaError> {
  if (failure.code !== 'processing_failed') return failure;
  for (const { file } of job.references) {
    const found: unknown = await probeFile(tools, file, { signal: job.signal }).then(
      () => undefined,
      (caught: unknown) => caught,
    );
    if (found instanceof MediaError && found.code === 'invalid_media') return found;
  }
  return failure;
}

const CODES = {
  invalid_media: 'invalid_media',
  processing_failed: 'engine_failed',
  timeout: 'timeout',
  busy: 'engine_failed',
  tools_missing: 'model_unavailable',
} as const satisfies Record<MediaError['code'], EngineError['code']>;

const asEngineError = (error: MediaError): EngineError =>
  new EngineError(CODES[error.code], error.message, { retryable: error.code !== 'invalid_media', cause: error });
