import type { TaskId } from '#contract/ids.ts';
import { abortOnSignal } from '#server/platform/core/process/abort-on-signal.ts';
import { MediaError } from '#server/platform/media/media-error.ts';
import type { MediaTools } from '#server/platform/media/media-tools.ts';
import {
  EngineError,
  type EngineJob,
  type EngineJobOf,
  type EngineResult,
  type LocalEngine,
} from '#server/models/engine/engine.ts';
import { withSourceXmp } from '#server/models/tools/tool.ts';
import type { PreviewContext } from './preview-context.ts';
import { createPainting } from './painting.ts';
import { createCorpusLoader } from './social/corpus.ts';
import { searchPosts } from './social/search-posts.ts';

export interface PreviewDeps {
  tools: MediaTools;
  /** Posts for social search; default: the samples. */
  corpus?: PreviewContext['loadCorpus'] | undefined;
}

type PreviewTask = 'image.create' | 'image.edit' | 'video.create' | 'video.edit' | 'video.lipsync' | 'social.search';

// The service starts sooner without the canvas.
const TASKS: {
  readonly [Task in PreviewTask]: (job: EngineJobOf<Task>, kit: PreviewContext) => Promise<EngineResult>;
} = {
  'image.create': async (...call) => (await import('./tasks/image.ts')).createImage(...call),
  'image.edit': async (...call) => (await import('./tasks/image.ts')).editImage(...call),
  'video.create': async (...call) => (await import('./tasks/video-create.ts')).createVideo(...call),
  'video.edit': async (...call) => (await import('./tasks/video-edit.ts')).editVideo(...call),
  'video.lipsync': async (...call) => (await import('./tasks/video-lipsync.ts')).lipsyncVideo(...call),
  'social.search': searchSocial,
};

/** Their results show the frames of the source. */
const REENCODING_TASKS: ReadonlySet<TaskId> = new Set<PreviewTask>(['video.edit', 'video.lipsync']);

const isPreviewTask = (task: TaskId): boolean => Object.hasOwn(TASKS, task);
const isPreviewJob = (job: EngineJob): job is EngineJobOf<PreviewTask> => isPreviewTask(job.task);
const runTask = <Task extends PreviewTask>(task: Task, job: EngineJobOf<Task>, kit: PreviewContext) =>
  TASKS[task](job, kit);

/** Needs no provider. A rerun gives the same bytes; file and `data` state that it is a preview. */
export function createPreviewEngine({ tools, corpus = createCorpusLoader(null) }: PreviewDeps): LocalEngine {
  const kit: PreviewContext = { tools, painting: createPainting(tools), loadCorpus: corpus };
  return {
    name: 'preview',
    supports: isPreviewTask,
    async run(job) {
      if (!isPreviewJob(job)) throw new EngineError('engine_failed', 'The preview engine does not do this.');
      try {
        // A canceled job rejects immediately; its processes may take a moment to stop.
        const result = await abortOnSignal(runTask(job.task, job, kit), job.signal);
        return REENCODING_TASKS.has(job.task) ? await withSourceXmp(job, result) : result;
      } catch (error) {
        throw error instanceof MediaError ? toEngineError(error) : error;
      }
    },
  };
}

const CODES = {
  invalid_media: 'invalid_media',
  processing_failed: 'engine_failed',
  timeout: 'timeout',
  busy: 'engine_failed',
  tools_missing: 'model_unavailable',
} as const satisfies Record<MediaError['code'], EngineError['code']>;

const toEngineError = (error: MediaError): EngineError =>
  new EngineError(CODES[error.code], error.message, { retryable: error.code !== 'invalid_media', cause: error });

async function searchSocial(job: EngineJobOf<'social.search'>, { loadCorpus }: PreviewContext): Promise<EngineResult> {
  const query = job.input;
  const videos = searchPosts(await loadCorpus(), query);
  job.signal.throwIfAborted();
  job.onProgress(1);
  return { files: [], data: { platform: query.platform, query: query.query, count: videos.length, videos } };
}
