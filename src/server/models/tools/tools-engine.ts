import type { TaskId } from '#contract/ids.ts';
import { MediaError } from '#server/platform/media/media-error.ts';
import type { MediaTools } from '#server/platform/media/media-tools.ts';
import { probeFile } from '#server/platform/media/probe-file.ts';
import { readTrackEnds } from '#server/platform/media/track-ends.ts';
import { EngineError, type LocalEngine, type EngineJob, type EngineJobOf } from '#server/models/engine/engine.ts';
import { addAudio } from './add-audio.ts';
import { concat } from './concat.ts';
import { extractAudio } from './extract-audio.ts';
import { extractFrame } from './extract-frame.ts';
import { splitScenes } from './split-scenes.ts';
import { type Tool, withSourceXmp } from './tool.ts';
import { transformImage } from './transform-image.ts';
import { trim } from './trim.ts';

type ToolTask =
  | 'video.trim'
  | 'video.concat'
  | 'video.extract_frame'
  | 'video.split_scenes'
  | 'video.extract_audio'
  | 'video.add_audio'
  | 'image.transform';

const TOOLS: { readonly [Task in ToolTask]: Tool<Task> } = {
  'video.trim': trim,
  'video.concat': concat,
  'video.extract_frame': extractFrame,
  'video.split_scenes': splitScenes,
  'video.extract_audio': extractAudio,
  'video.add_audio': addAudio,
  'image.transform': transformImage,
};

const isToolTask = (task: TaskId): boolean => Object.hasOwn(TOOLS, task);
const isToolJob = (job: EngineJob): job is EngineJobOf<ToolTask> => isToolTask(job.task);
const runTool = <Task extends ToolTask>(task: Task, tools: MediaTools, job: EngineJobOf<Task>) =>
  TOOLS[task](tools, job);

/** Spec: Task contracts */
export function createToolsEngine(tools: MediaTools): LocalEngine {
  return {
    name: 'tools',
    supports: (task, model) => model === null && isToolTask(task),
    async run(job) {
      if (!isToolJob(job)) throw new EngineError('engine_failed', 'No tool supports this task.');
      try {
        const result = await runTool(job.task, tools, job);
        for (const file of result.files) if (file.endsWith('.mp4')) await assertEndTogether(file);
        return await withSourceXmp(job, result);
      } catch (error) {
        throw error instanceof MediaError ? asEngineError(await findMediaError(error, tools, job)) : error;
      }
    },
  };
}

const PACKET_SECONDS = 1_024 / 44_100;

/** Whatever the source is like, nobody gets a picture that goes on without its sound. @throws {MediaError} */
async function assertEndTogether(file: string): Promise<void> {
  const { videoSeconds, audioSeconds, frameSeconds } = await readTrackEnds(file);
  if (videoSeconds === null || audioSeconds === null) return;
  const apart = Math.abs(videoSeconds - audioSeconds);
  if (apart <= frameSeconds + PACKET_SECONDS) return;
  throw new MediaError('processing_failed', 'The sound and the picture of the result did not end together.', {
    cause: new Error(`picture ${videoSeconds} s, sound ${audioSeconds} s`),
  });
}

/** ffmpeg does not distinguish invalid media from other failures, so the media are probed again. */
async function findMediaError(failure: MediaError, tools: MediaTools, job: EngineJob): Promise<MediaError> {
  if (failure.code !== 'processing_failed') return failure;
  for (const { file } of job.references) {
    const probeError: unknown = await probeFile(tools, file, { signal: job.signal }).then(
      () => undefined,
      (caught: unknown) => caught,
    );
    if (probeError instanceof MediaError && probeError.code === 'invalid_media') return probeError;
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
