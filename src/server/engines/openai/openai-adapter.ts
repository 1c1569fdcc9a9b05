import type { RemoteService } from '#server/net/remote-service.ts';
import { EngineError } from '../engine.ts';
import type { Mapping } from '../mapping/mapping.ts';
import type { UpstreamAdapter, UpstreamEngineJob, UpstreamJobOf } from '../upstream.ts';
import { createUpstreamHttp } from '../upstream-http.ts';
import { createImages, type OpenAiImageTask } from './images.ts';
import { mapOpenAiError } from './openai-errors.ts';
import { cancelVideo, pollVideo, submitVideo, type OpenAiVideoTask } from './videos.ts';

export interface OpenAiAdapterOptions {
  /** `https://api.openai.com/v1`, or another service that speaks its Images and Videos API. */
  service: RemoteService;
  /** null where the service takes none. */
  api_key: string | null;
  model: string;
  /** Gives the upstream's parameters, beside `model`; our input is translated where there is none. */
  request?: Mapping | undefined;
  sizes?: 'standard' | 'free' | undefined;
  organization?: string | undefined;
  project?: string | undefined;
  /** 1 GB where left out. */
  max_output_bytes?: number | undefined;
}

const isImageJob = (job: UpstreamEngineJob): job is UpstreamJobOf<OpenAiImageTask> =>
  job.task === 'image.create' || job.task === 'image.edit';
const isVideoJob = (job: UpstreamEngineJob): job is UpstreamJobOf<OpenAiVideoTask> =>
  job.task === 'video.create' || job.task === 'video.edit';

const MAX_OUTPUT_BYTES = 2 ** 30;

/**
 * OpenAI's Images API, which answers with the pictures, and its Videos API, which is polled. Neither takes a submit key
 * or names a price. The official client is not used: of it we would need five calls without its repeats, its deadlines
 * and its errors, and it keeps from a caller what a lost answer is.
 */
export function createOpenAiAdapter(options: OpenAiAdapterOptions): UpstreamAdapter {
  const { service, api_key, organization, project, max_output_bytes = MAX_OUTPUT_BYTES } = options;
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
  const limited = { ...options, max_output_bytes };
  return {
    supports_submit_key: false,
    async submit(job) {
      if (isImageJob(job)) return createImages(http, limited, job);
      if (isVideoJob(job)) return submitVideo(http, limited, job);
      throw new EngineError('model_unavailable', 'This engine does not do this task. Tell the operator.');
    },
    poll: (job, handle) => pollVideo(http, limited, job, handle),
    cancel: (handle, signal) => cancelVideo(http, handle, signal),
  };
}
