import * as z from 'zod/mini';
import type { RemoteService } from '#server/platform/net/remote-service.ts';
import { savePromptOutputs, uploadToComfyUi } from '#server/models/providers/comfyui/comfyui-files.ts';
import { cancelJob } from '#server/models/providers/comfyui/comfyui-queue.ts';
import { parseComfyUiResponse, promptAcceptedSchema } from '#server/models/providers/comfyui/comfyui-schemas.ts';
import type { ComfyUiWorkflow } from '#server/models/providers/comfyui/compile-workflow.ts';
import {
  executionError,
  rejectedNodesError,
  rejectedPromptError,
  stoppedPromptError,
} from '#server/models/providers/comfyui/prompt-errors.ts';
import { derivePromptId, type WorkflowRun } from '#server/models/providers/comfyui/workflow-builder.ts';
import { EngineError } from '#server/models/engine/engine.ts';
import { buildInputWithFiles } from '#server/models/engine/mapping/build-input-with-files.ts';
import {
  engineRejectedError,
  ProviderAccountError,
  type UpstreamErrorResponse,
} from '#server/models/engine/upstream-errors.ts';
import { createUpstreamHttp, type UpstreamHttp } from '#server/models/engine/upstream-http.ts';
import {
  beforeSubmit,
  type PolledJob,
  ResponseLostError,
  type UpstreamAdapter,
  type UpstreamState,
} from '#server/models/engine/upstream.ts';
import { cloudJobSchema, cloudQueueSchema, cloudStatusSchema, cloudJobsSchema } from './comfy-cloud-schemas.ts';

export interface ComfyCloudAdapterOptions extends WorkflowRun {
  service: RemoteService;
  /** Also pays for partner nodes. */
  api_key: string;
}

const handleSchema = z.object({ prompt_id: z.string() });

export const createCloudHttp = (
  { service, api_key }: Pick<ComfyCloudAdapterOptions, 'service' | 'api_key'>,
  mapError: NonNullable<Parameters<typeof createUpstreamHttp>[0]['mapError']> = () => null,
): UpstreamHttp => createUpstreamHttp({ service, api_key, headers: (key) => ({ 'x-api-key': key }), mapError });

/**
 * Runs a workflow in Comfy Cloud. It never calls `/interrupt`, which stops all running jobs of the account.
 * Protocol: openapi-cloud.yaml of docs.comfy.org, read 2026-11-23.
 */
export function createComfyCloudAdapter(options: ComfyCloudAdapterOptions): UpstreamAdapter {
  const { api_key } = options;
  const http = createCloudHttp(options, (response) => mapCloudError(response, http.redact));
  const jobHttp = createCloudHttp(
    options,
    (response) => unknownJobError(response) ?? mapCloudError(response, http.redact),
  );

  return {
    supports_submit_key: false,
    async submit(job) {
      const workflow = await beforeSubmit(() =>
        buildInputWithFiles(
          (nameReference) => options.buildWorkflow(job, nameReference),
          (reference) => uploadToComfyUi(http, reference, job.signal, null),
        ),
      );
      const marked = markOutputs(workflow as ComfyUiWorkflow, derivePromptId(job.submit_key));
      const json = { prompt: marked, extra_data: { api_key_comfy_org: api_key } };
      const response = await http.requestJson('/prompt', { method: 'POST', json, signal: job.signal });
      const { prompt_id, node_errors } = parseComfyUiResponse(promptAcceptedSchema, response);
      const rejection = rejectedNodesError(node_errors, http.redact);
      if (!rejection) return { status: 'accepted', handle: { prompt_id }, progress: 0 };
      await cancel(prompt_id, job.signal);
      throw rejection;
    },
    async poll(job, handle) {
      const { prompt_id } = handleSchema.parse(handle);
      const response = await jobHttp.requestJson(`/job/${encodeURIComponent(prompt_id)}/status`, {
        signal: job.signal,
      });
      const { status, error_message } = parseComfyUiResponse(cloudStatusSchema, response);
      if (status === 'succeeded') return readResult(prompt_id, job);
      if (status === 'canceled') throw stoppedPromptError('Comfy Cloud');
      if (status === 'lost')
        throw new EngineError('engine_failed', 'Comfy Cloud lost the job. Try again.', { retryable: true });
      if (status === 'failed') throw await readFailure(prompt_id, error_message ?? null, job.signal);
      const queuePosition = status === 'waiting' ? await readPosition(prompt_id, job.signal) : null;
      const progress = status === 'waiting' ? 0 : null;
      return { status: 'accepted', handle, progress, provider_status: { queue_position: queuePosition, stage: null } };
    },
    async findLostSubmit({ submit_key, submitted_at, signal }) {
      const promptId = await findMarkedJob(http, derivePromptId(submit_key), submitted_at, signal);
      return promptId === null ? null : { prompt_id: promptId };
    },
    cancel: (handle, signal) => cancel(handleSchema.parse(handle).prompt_id, signal),
  };

  /** Without the jobs API only a single pending job can be canceled. */
  async function cancel(id: string, signal: AbortSignal): Promise<void> {
    if (await cancelJob(http, '/jobs/cancel', { job_ids: [id] }, signal)) return;
    await http.requestVoid('/queue', { method: 'POST', json: { delete: [id] }, signal });
  }

  async function readJob(id: string, signal: AbortSignal): Promise<z.infer<typeof cloudJobSchema>> {
    return parseComfyUiResponse(
      cloudJobSchema,
      await jobHttp.requestJson(`/jobs/${encodeURIComponent(id)}`, { signal }),
    );
  }

  /** The queue is that of the account. @returns null when the job has just left it */
  async function readPosition(id: string, signal: AbortSignal): Promise<number | null> {
    const { queue_pending } = parseComfyUiResponse(cloudQueueSchema, await http.requestJson('/queue', { signal }));
    const index = queue_pending.findIndex(([, prompt_id]) => prompt_id === id);
    return index === -1 ? null : index;
  }

  async function readFailure(id: string, message: string | null, signal: AbortSignal): Promise<EngineError> {
    const { execution_error } = await readJob(id, signal);
    const sentence = message && http.redact(message);
    return (
      executionError(execution_error, http.redact) ??
      engineRejectedError({ message: sentence, cause: new Error('The job failed.') })
    );
  }

  async function readResult(id: string, job: PolledJob): Promise<UpstreamState> {
    const { outputs } = await readJob(id, job.signal);
    return savePromptOutputs(http, options.service, outputs ?? {}, job, options);
  }
}

/** A 429 means an unpaid subscription or too many requests; only its message tells. */
function mapCloudError(response: UpstreamErrorResponse, redact: (text: string) => string): Error | null {
  const { status, message, cause } = response;
  if (status === 400) return rejectedPromptError(response, redact);
  if (status !== 429 || !/subscri|unpaid|not paid|payment|inactive/i.test(message ?? '')) return null;
  return new ProviderAccountError(
    'Comfy Cloud needs an active subscription. Ask the operator to check the account.',
    cause,
  );
}

const unknownJobError = ({ status, cause }: UpstreamErrorResponse): Error | null =>
  status === 404 ? new ResponseLostError('Comfy Cloud does not know this job.', { cause }) : null;

/** Appends a mark to the names of saved files: Comfy Cloud takes no id and no idempotency key with a prompt. */
const markOutputs = (workflow: ComfyUiWorkflow, mark: string): ComfyUiWorkflow =>
  Object.fromEntries(
    Object.entries(workflow).map(([id, node]) => {
      const prefix = node.inputs['filename_prefix'];
      if (typeof prefix !== 'string') return [id, node];
      return [id, { ...node, inputs: { ...node.inputs, filename_prefix: `${prefix}-${mark}` } }];
    }),
  );

const MAX_JOBS = 40;
const CLOCK_TOLERANCE_MS = 5 * 60_000;
/** The OpenAPI file says seconds; other versions sent milliseconds. */
const MAX_SECONDS = 100_000_000_000;

/** Finds the job whose workflow has a mark. @returns null unless exactly one recent job has it */
async function findMarkedJob(
  http: Pick<UpstreamHttp, 'requestJson'>,
  mark: string,
  submittedAt: Date,
  signal: AbortSignal,
): Promise<string | null> {
  const query = new URLSearchParams({ sort_by: 'create_time', sort_order: 'desc', limit: String(MAX_JOBS) });
  const { jobs } = parseComfyUiResponse(cloudJobsSchema, await http.requestJson(`/jobs?${query}`, { signal }));
  const since = submittedAt.getTime() - CLOCK_TOLERANCE_MS;
  const found: string[] = [];
  for (const { id, create_time } of jobs) {
    if ((create_time < MAX_SECONDS ? create_time * 1000 : create_time) < since) continue;
    const job = parseComfyUiResponse(
      cloudJobSchema,
      await http.requestJson(`/jobs/${encodeURIComponent(id)}`, { signal }),
    );
    if (JSON.stringify(job).includes(mark)) found.push(id);
  }
  const [id, other] = found;
  return id === undefined || other !== undefined ? null : id;
}
