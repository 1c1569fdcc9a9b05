import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RemoteService } from '#server/platform/net/remote-service.ts';
import { EngineError, type EngineJob } from '#server/models/engine/engine.ts';
import { withJobCost } from '#server/models/engine/job-cost.ts';
import { createMappingContext, type MappingContext } from '#server/models/engine/mapping/mapping-context.ts';
import { headerRequestId } from '#server/models/engine/request-id.ts';
import { MAX_OUTPUT_BYTES } from '#server/models/engine/save-outputs.ts';
import { contentRefusedError, isRecord, type UpstreamErrorResponse } from '#server/models/engine/upstream-errors.ts';
import { createUpstreamHttp, type UpstreamHttp, type UpstreamRequest } from '#server/models/engine/upstream-http.ts';
import {
  ResponseLostError,
  unreadableResponseError,
  type UpstreamAdapter,
  type UpstreamHandle,
  type UpstreamState,
} from '#server/models/engine/upstream.ts';
import type { HttpOptions } from './http-options.ts';
import { compileRequests, compileResponseMappings } from './http-request.ts';
import {
  type FailedJobState,
  finishFile,
  finishJob,
  jobFailureError,
  parseHandle,
  parseJobState,
  parseProgress,
  readCost,
} from './job-result.ts';

export interface HttpAdapterOptions {
  service: RemoteService;
  api_key: string | null;
  options: HttpOptions;
  other_services?: readonly RemoteService[];
  max_output_bytes?: number;
}

type Job = Pick<EngineJob, 'task' | 'model' | 'input' | 'workDir' | 'signal'> &
  Partial<Pick<EngineJob, 'references'>> & { submit_key: string };

/** Calls a JSON API that the operator describes. @throws {MappingSyntaxError} naming the option */
export function createHttpAdapter({
  service,
  api_key,
  options,
  other_services = [],
  max_output_bytes,
}: HttpAdapterOptions): UpstreamAdapter {
  const createHttp = (mapError: (response: UpstreamErrorResponse) => Error | null) =>
    createOriginHttp([service, ...other_services], (origin) =>
      createUpstreamHttp({ service: origin, api_key, headers: (key) => credentials(options, key), mapError }),
    );
  const mapRefusal = (response: UpstreamErrorResponse) => contentRefusalError(options.refusal_codes, response);
  const http = createHttp(mapRefusal);
  const pollHttp = createHttp((response) => unknownJobError(response) ?? mapRefusal(response));
  const requests = compileRequests(options);
  const mappings = compileResponseMappings(options);
  const { model, values, poll_after_seconds, submit_key_header, file_response } = options;
  const createContext = (job: Job, extra: Record<string, unknown> = {}) =>
    createMappingContext(job, { options: { model, values }, ...extra });

  const fileTarget = (job: Job, response: typeof file_response) =>
    response === file_response ? { file: join(job.workDir, 'output-0'), max_output_bytes } : null;

  async function readResponse(
    job: Job,
    { json, headers }: Awaited<ReturnType<OriginHttp['requestResult']>>,
    storedHandle: UpstreamHandle | null,
  ): Promise<UpstreamState> {
    if (json !== undefined) return readState(job, json, storedHandle);
    return readFile(job, headers, storedHandle);
  }

  async function readFile(job: Job, headers: Headers | null, handle: UpstreamHandle | null): Promise<UpstreamState> {
    const context = createContext(job, { headers: Object.fromEntries(headers ?? []), handle });
    const state = mappings.state && parseJobState(await mappings.state(context), options.states);
    if (state && state !== 'done' && state !== 'working') {
      await rm(join(job.workDir, 'output-0'), { force: true });
      throw await readFailure(state, context);
    }
    return finishFile(join(job.workDir, 'output-0'), { mappings, context, handle });
  }

  /** @param storedHandle null for the response to submit */
  async function readState(job: Job, response: unknown, storedHandle: UpstreamHandle | null): Promise<UpstreamState> {
    const context = createContext(job, { answer: response, handle: storedHandle });
    const handle = storedHandle ?? parseHandle(await mappings.handle?.(context));
    const reportedState = mappings.state && parseJobState(await mappings.state(context), options.states);
    // The response to submit may contain nothing but the handle.
    const state = reportedState ?? (mappings.handle ? storedHandle === null && handle && 'working' : 'done');
    if (!state) throw unreadableResponseError();
    if (state === 'done') {
      const fetchResult = async () => {
        if (!requests.result) return { json: response, headers: null };
        const { path, init } = await requests.result(createContext(job, { answer: response, handle }));
        return pollHttp.requestResult(path, { ...init, signal: job.signal }, fileTarget(job, 'result'));
      };
      const { json: result, headers } = await fetchResult();
      if (result === undefined) return readFile(job, headers, handle);
      const completed = { mappings, context: createContext(job, { answer: result, handle }), response: result, handle };
      return finishJob(http, job, completed, max_output_bytes);
    }
    if (state !== 'working') throw await readFailure(state, context);
    if (!handle) throw new ResponseLostError('The provider returned no handle for the job.');
    const pollAfterMs = poll_after_seconds === undefined ? null : poll_after_seconds * 1000;
    return {
      status: 'accepted',
      handle,
      progress: parseProgress(await mappings.progress?.(context)),
      pollAfterMs,
    };
  }

  async function readFailure(state: FailedJobState, context: MappingContext): Promise<EngineError> {
    const error = jobFailureError(state, await mappings.error?.(context), http.redact);
    // An expression that is made for results may fail on other responses.
    const costUsd = await mappings.cost_usd?.(context).catch(() => null);
    return withJobCost(error, readCost(costUsd));
  }

  return {
    supports_submit_key: options.takes_submit_key ?? submit_key_header !== undefined,
    async submit(job) {
      const { path, init } = await requests.submit(createContext(job), job.references);
      const headers = { ...init.headers, ...(submit_key_header ? { [submit_key_header]: job.submit_key } : {}) };
      const request = { ...init, headers, signal: job.signal };
      const response = await http.requestResult(path, request, fileTarget(job, 'submit'));
      job.onRequestId?.(headerRequestId(response.headers));
      return readResponse(job, response, null);
    },
    async poll(job, handle) {
      if (!requests.poll) throw new ResponseLostError('This provider is not configured for polling.');
      const { path, init } = await requests.poll(createContext(job, { handle }));
      const request = { ...init, signal: job.signal };
      return readResponse(job, await pollHttp.requestResult(path, request, fileTarget(job, 'poll')), handle);
    },
    async cancel(handle, signal) {
      if (!requests.cancel) return;
      const context = { data: { handle, options: { model, values } }, functions: {} };
      const { path, init } = await requests.cancel(context);
      const response = await http.request(path, { ...init, signal }).catch(ignoreEngineFailure);
      await response?.body?.cancel();
    },
  };
}

function credentials({ key_header = 'authorization', key_prefix }: HttpOptions, apiKey: string) {
  const name = key_header.toLowerCase();
  return { [name]: `${key_prefix ?? (name === 'authorization' ? 'Bearer ' : '')}${apiKey}` };
}

const unknownJobError = ({ status, cause }: UpstreamErrorResponse): Error | null =>
  status === 404 || status === 410 ? new ResponseLostError('The provider no longer knows this job.', { cause }) : null;

function contentRefusalError(
  codes: readonly string[],
  { status, body, message, cause }: UpstreamErrorResponse,
): Error | null {
  const isRefused = status < 500 && codes.length > 0 && containsCode(body, codes);
  return isRefused ? contentRefusedError(message, cause) : null;
}

function containsCode(value: unknown, codes: readonly string[]): boolean {
  if (typeof value === 'string') return codes.includes(value);
  if (Array.isArray(value)) return value.some((item) => containsCode(item, codes));
  return isRecord(value) && Object.values(value).some((item) => containsCode(item, codes));
}

/** A job that is complete or unknown can't be canceled, which is no error. */
function ignoreEngineFailure(error: unknown): null {
  if (error instanceof EngineError && error.code === 'engine_failed') return null;
  throw error;
}

const FILE_TIMEOUT_MS = 10 * 60_000;

/** Sends each request to the service whose origin it names, with the credentials. */
type OriginHttp = Pick<UpstreamHttp, 'request' | 'download' | 'redact'> & {
  /** @returns the JSON of the response; for a media file, which is saved to `file`, `json` is undefined */
  requestResult(
    path: string,
    init: UpstreamRequest,
    target: { file: string; max_output_bytes: number | undefined } | null,
  ): Promise<{ json: unknown; headers: Headers }>;
};

function createOriginHttp(
  services: readonly [RemoteService, ...RemoteService[]],
  createHttp: (service: RemoteService) => UpstreamHttp,
): OriginHttp {
  const [main, ...others] = services;
  const mainHttp = createHttp(main);
  const byOrigin = new Map(others.map((service) => [new URL(service.base_url).origin, createHttp(service)]));
  const httpFor = (path: string | URL): UpstreamHttp => {
    const origin = URL.canParse(String(path)) ? new URL(String(path)).origin : '';
    return byOrigin.get(origin) ?? mainHttp;
  };
  return {
    request: (path, init) => httpFor(path).request(path, init),
    download: (url, file, limits) => httpFor(url).download(url, file, limits),
    redact: mainHttp.redact,
    async requestResult(path, init, target) {
      if (!target) {
        const { body, headers } = await httpFor(path).requestJsonWithHeaders(path, init);
        return { json: body, headers };
      }
      const { file, max_output_bytes: maxResponseBytes = MAX_OUTPUT_BYTES } = target;
      const limits = { maxResponseBytes, timeoutMs: FILE_TIMEOUT_MS };
      return httpFor(path).requestJsonOrFile(path, { ...init, ...limits }, file);
    },
  };
}
