import type { RemoteService } from '#server/platform/net/remote-service.ts';
import { EngineError } from '#server/models/engine/engine.ts';
import type { Mapping } from '#server/models/engine/mapping/mapping.ts';
import type { UpstreamAdapter, UpstreamEngineJob, UpstreamJobOf } from '#server/models/engine/upstream.ts';
import { createUpstreamHttp } from '#server/models/engine/upstream-http.ts';
import {
  buildImageRequest,
  type BuildImageRequest,
  createImages,
  type ImageModel,
  type ImagesOptions,
  type OpenAiImageTask,
} from './images.ts';
import { mapOpenAiError } from './openai-errors.ts';
import type { FilePlaceholder } from './request-parameters.ts';
import { buildVideoEditRequest, buildVideoRequest, cancelVideo, pollVideo, submitVideo } from './videos.ts';

export interface OpenAiAdapterOptions extends ImageModel, Pick<ImagesOptions, 'computeCost'> {
  service: RemoteService;
  api_key: string | null;
  request?: Mapping | undefined;
  buildRequest?: BuildImageRequest | undefined;
  /** Converts images to the input's `output_format`. */
  converts_format?: boolean | undefined;
  organization?: string | undefined;
  project?: string | undefined;
  max_output_bytes?: number | undefined;
}

const isImageJob = (job: UpstreamEngineJob): job is UpstreamJobOf<OpenAiImageTask> =>
  job.task === 'image.create' || job.task === 'image.edit';
const isVideoJob = (job: UpstreamEngineJob): job is UpstreamJobOf<'video.create'> => job.task === 'video.create';
const isVideoEditJob = (job: UpstreamEngineJob): job is UpstreamJobOf<'video.edit'> => job.task === 'video.edit';

export const DEFAULT_MAX_OUTPUT_BYTES = 2 ** 30;

/** OpenAI's Images and Videos APIs, without idempotency keys. The official client hides whether a response was lost. */
export function createOpenAiAdapter(options: OpenAiAdapterOptions): UpstreamAdapter {
  const { service, api_key, organization, project, max_output_bytes = DEFAULT_MAX_OUTPUT_BYTES } = options;
  const http = createUpstreamHttp({
    service,
    api_key,
    mapError: mapOpenAiError,
    headers: (key) => ({
      authorization: `Bearer ${key}`,
      ...(organization === undefined ? {} : { 'openai-organization': organization }),
      ...(project === undefined ? {} : { 'openai-project': project }),
    }),
  });
  const adapterOptions = { ...options, max_output_bytes };
  return {
    supports_submit_key: false,
    async submit(job) {
      if (isImageJob(job)) {
        const convertTo = options.converts_format ? job.input.output_format : null;
        return createImages(http, { ...adapterOptions, convert_to: convertTo }, job, (nameReference) =>
          options.buildRequest
            ? options.buildRequest(job, nameReference)
            : buildImageRequest(options, job, nameReference),
        );
      }
      if (isVideoJob(job))
        return submitVideo(http, adapterOptions, job, (nameReference) => buildVideoRequest(job, nameReference));
      if (isVideoEditJob(job)) {
        const build = (nameReference: FilePlaceholder) => buildVideoEditRequest(job, nameReference);
        return submitVideo(http, adapterOptions, job, build, '/videos/edits');
      }
      throw new EngineError(
        'model_unavailable',
        'This provider does not support this task. Ask the operator to check the configuration.',
      );
    },
    poll: (job, handle) => pollVideo(http, adapterOptions, job, handle),
    cancel: (handle, signal) => cancelVideo(http, handle, signal),
  };
}
