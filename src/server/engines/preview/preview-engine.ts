import type { Engine, EngineJob, EngineResult } from '../engine.ts';
import { EngineError } from '../engine.ts';
import { MediaError } from '../../media/media-error.ts';
import type { MediaTools } from '../../media/media-tools.ts';
import type { Kit } from './kit.ts';
import { createPainters } from './render/paint.ts';
import { createImage } from './tasks/image-create.ts';
import { createVideo } from './tasks/video-create.ts';

export interface PreviewDeps {
  tools: MediaTools;
}

type Run = (job: EngineJob, kit: Kit) => Promise<EngineResult>;

const RUNS: Partial<Record<EngineJob['task'], Run>> = {
  'image.create': (job, { painters }) => createImage(job, painters),
  'video.create': createVideo,
};

/**
 * The embedded renderer: paints images and clips from the words of a prompt, so that the studio works before any
 * upstream is set up. What it makes is the same for the same input, and says in file and `data` that it is a preview.
 */
export function createPreviewEngine({ tools }: PreviewDeps): Engine {
  const kit: Kit = { tools, painters: createPainters() };
  return {
    name: 'preview',
    supports: (task) => RUNS[task] !== undefined,
    async run(job) {
      const run = RUNS[job.task];
      if (!run) throw new EngineError('engine_failed', 'The preview engine does not do this.');
      try {
        return await run(job, kit);
      } catch (error) {
        if (error instanceof MediaError) throw asEngineError(error);
        throw error;
      }
    },
  };
}

const CODES = {
  invalid_media: 'invalid_media',
  processing_failed: 'engine_failed',
  timeout: 'timeout',
} as const satisfies Record<MediaError['code'], EngineError['code']>;

const asEngineError = (error: MediaError): EngineError =>
  new EngineError(CODES[error.code], error.message, { retryable: error.code !== 'invalid_media', cause: error });
