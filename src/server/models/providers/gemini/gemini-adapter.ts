import { EngineError } from '#server/models/engine/engine.ts';
import type { UpstreamAdapter, UpstreamEngineJob } from '#server/models/engine/upstream.ts';
import { createGeminiHttp, type GeminiConnection } from './gemini-errors.ts';
import { type GeminiImageJob, type GeminiImageModel, generateImage } from './generate-content.ts';
import { cancelInteraction, type OmniModel, pollInteraction, submitInteraction } from './interactions.ts';
import type { OmniJob } from './omni-request.ts';

interface AdapterOptions extends GeminiConnection {
  max_output_bytes?: number | undefined;
}

const DEFAULT_MAX_OUTPUT_BYTES = 2 ** 30;

const isImageJob = (job: UpstreamEngineJob): job is GeminiImageJob =>
  job.task === 'image.create' || job.task === 'image.edit';
const isVideoJob = (job: UpstreamEngineJob): job is OmniJob => job.task === 'video.create';

const unsupportedTaskError = (): EngineError =>
  new EngineError('model_unavailable', 'This provider does not support this task. Ask the operator to check it.');

/** It responds with the image, so nothing is polled or canceled. */
export function createGeminiImageAdapter(options: AdapterOptions & GeminiImageModel): UpstreamAdapter {
  const http = createGeminiHttp(options);
  const maxOutputBytes = options.max_output_bytes ?? DEFAULT_MAX_OUTPUT_BYTES;
  return {
    supports_submit_key: false,
    async submit(job) {
      if (!isImageJob(job)) throw unsupportedTaskError();
      return generateImage(http, options, maxOutputBytes, job);
    },
    async poll() {
      throw new EngineError('engine_failed', 'The response of the provider was lost.');
    },
    async cancel() {},
  };
}

/** Gemini Omni through the Interactions API: background interactions that are polled and can be canceled. */
export function createOmniAdapter(options: AdapterOptions & OmniModel): UpstreamAdapter {
  const http = createGeminiHttp(options);
  const maxOutputBytes = options.max_output_bytes ?? DEFAULT_MAX_OUTPUT_BYTES;
  return {
    supports_submit_key: false,
    async submit(job) {
      if (!isVideoJob(job)) throw unsupportedTaskError();
      return submitInteraction(http, options, job);
    },
    poll: (job, handle) => pollInteraction(http, options, maxOutputBytes, job, handle),
    cancel: (handle, signal) => cancelInteraction(http, handle, signal),
  };
}
