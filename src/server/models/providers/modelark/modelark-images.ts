import * as z from 'zod/mini';
import { chargedWork } from '#server/models/engine/job-cost.ts';
import { saveOutputs } from '#server/models/engine/save-outputs.ts';
import {
  type UpstreamAdapter,
  type UpstreamEngineJob,
  unreadableResponseError,
} from '#server/models/engine/upstream.ts';
import { failedError, createModelArkHttp, type ModelArkAccount } from './modelark-errors.ts';
import type { ModelArkImageRequest } from './modelark-requests.ts';

export interface ModelArkImagesOptions extends ModelArkAccount {
  /** @throws {EngineError} if the model does not take the input */
  buildRequest(job: UpstreamEngineJob): Promise<Omit<ModelArkImageRequest, 'watermark'>>;
  computeCost(job: UpstreamEngineJob, images: number): bigint;
  max_output_bytes?: number | undefined;
}

/** The response to submit contains the images. */
const TIMEOUT_MS = 15 * 60_000;
const MAX_RESPONSE_BYTES = 128 * 1_048_576;

const imagesResponse = z.object({
  data: z.optional(
    z.array(
      z.object({
        b64_json: z.nullish(z.string()),
        error: z.nullish(z.object({ code: z.string(), message: z.string() })),
      }),
    ),
  ),
});

/** ModelArk’s Images API, which responds with the images. It has no idempotency key and reports no price. */
export function createModelArkImages(options: ModelArkImagesOptions): UpstreamAdapter {
  const { buildRequest, computeCost, max_output_bytes, watermark } = options;
  const http = createModelArkHttp(options);
  return {
    supports_submit_key: false,
    async submit(job) {
      const request: ModelArkImageRequest = { ...(await buildRequest(job)), watermark };
      const response = await http.requestJson('/images/generations', {
        method: 'POST',
        json: request,
        signal: job.signal,
        timeout_ms: TIMEOUT_MS,
        max_response_bytes: MAX_RESPONSE_BYTES,
        // The response itself is the result.
        is_not_accepted_on_500: true,
      });
      const { data: images, error } = imagesResponse.safeParse(response);
      if (!images) throw unreadableResponseError(error);
      const items = images.data ?? [];
      const outputs = items.flatMap(({ b64_json }) => (b64_json ? [{ base64: b64_json }] : []));
      const failure = items.find((item) => item.error)?.error;
      if (outputs.length === 0 && failure) throw failedError(failure, http.redact);
      if (outputs.length === 0)
        return { status: 'unclear', reason: 'ModelArk reported success but returned no image.', result: null };
      const cost = { cost_micro_usd: computeCost(job, outputs.length), cost_basis: 'computed' as const };
      const files = await chargedWork(cost, () => saveOutputs(http, outputs, job, max_output_bytes));
      return { status: 'succeeded', result: { files, data: null }, ...cost };
    },
    poll: () => Promise.reject(unreadableResponseError(new Error('An image job has nothing to poll.'))),
    cancel: () => Promise.resolve(),
  };
}
