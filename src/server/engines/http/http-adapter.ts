import type { EngineJob } from '../engine.ts';
import { EngineError } from '../engine.ts';
import { createMappingContext } from '../mapping/mapping-context.ts';
import type { RemoteService } from '#server/net/remote-service.ts';
import { type UpstreamAdapter, unreadableResponseError } from '../upstream.ts';
import { ResponseLostError, type UpstreamHandle, type UpstreamState } from '../upstream.ts';
import { contentRefusedError, isRecord, type UpstreamErrorResponse } from '../upstream-errors.ts';
import { createUpstreamHttp } from '../upstream-http.ts';
import { finishJob } from './finish-job.ts';
import type { HttpOptions } from './http-options.ts';
import { compileRequests, compileResponseMappings } from './http-request.ts';
import { jobFailureError, parseHandle, parseProgress, parseJobState } from './parse-response.ts';

export interface HttpAdapterOptions {
  service: RemoteService;
  api_key: string | null;
  options: HttpOptions;
  max_output_bytes?: number;
}

type Job = Pick<EngineJob, 'task' | 'model' | 'input' | 'work_dir' | 'signal'> &
  Partial<Pick<EngineJob, 'references'>> & { submit_key: string };

/**
 * Calls a JSON API over HTTP that the operator describes with expressions.
 * @throws {MappingSyntaxError} naming the option
 */
export function createHttpAdapter({
  service,
  api_key,
  options,
  max_output_bytes,
}: HttpAdapterOptions): UpstreamAdapter {
  const createHttp = (mapError: (response: UpstreamErrorResponse) => Error | null) =>
    createUpstreamHttp({ service, api_key, headers: (key) => credentials(options, key), mapError });
  const mapRefusal = (response: UpstreamErrorResponse) => contentRefusalError(options.refusal_codes, response);
  const http = createHttp(mapRefusal);
  const pollHttp = createHttp((response) => unknownJobError(response) ?? mapRefusal(response));
  const requests = compileRequests(options);
  const mappings = compileResponseMappings(options);
  const { model, values, poll_after_seconds, submit_key_header } = options;
  const createContext = (job: Job, extra: Record<string, unknown> = {}) =>
    createMappingContext(job, { options: { model, values }, ...extra });

  /** @param stored_handle null for the response to submit */
  async function readState(job: Job, response: unknown, stored_handle: UpstreamHandle | null): Promise<UpstreamState> {
    const context = createContext(job, { answer: response, handle: stored_handle });
    const handle = stored_handle ?? parseHandle(await mappings.handle?.(context));
    const reported_state = mappings.state && parseJobState(await mappings.state(context), options.states);
    // The response to submit may contain nothing but the handle.
    const state = reported_state ?? (mappings.handle ? stored_handle === null && handle && 'working' : 'done');
    if (!state) throw unreadableResponseError();
    if (state === 'done') {
      const fetchResult = async () => {
        if (!requests.result) return response;
        const { path, init } = await requests.result(createContext(job, { answer: response, handle }));
        return pollHttp.requestJson(path, { ...init, signal: job.signal });
      };
      const result = await fetchResult();
      const completed = { mappings, context: createContext(job, { answer: result, handle }), response: result, handle };
      return finishJob(http, job, completed, max_output_bytes);
    }
    if (state !== 'working') throw jobFailureError(state, await mappings.error?.(context), http.redact);
    if (!handle) throw new ResponseLostError('The provider returned no handle for the job.');
    const poll_after_ms = poll_after_seconds === undefined ? null : poll_after_seconds * 1000;
    return { status: 'accepted', handle, progress: parseProgress(await mappings.progress?.(context)), poll_after_ms };
  }

  return {
    supports_submit_key: options.takes_submit_key ?? submit_key_header !== undefined,
    async submit(job) {
      const { path, init } = await requests.submit(createContext(job), job.references);
      const headers = { ...init.headers, ...(submit_key_header ? { [submit_key_header]: job.submit_key } : {}) };
      return readState(job, await http.requestJson(path, { ...init, headers, signal: job.signal }), null);
    },
    async poll(job, handle) {
      if (!requests.poll) throw new ResponseLostError('This provider is not configured for polling.');
      const { path, init } = await requests.poll(createContext(job, { handle }));
      return readState(job, await pollHttp.requestJson(path, { ...init, signal: job.signal }), handle);
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

function credentials({ key_header = 'authorization', key_prefix }: HttpOptions, api_key: string) {
  const name = key_header.toLowerCase();
  return { [name]: `${key_prefix ?? (name === 'authorization' ? 'Bearer ' : '')}${api_key}` };
}

const unknownJobError = ({ status, cause }: UpstreamErrorResponse): Error | null =>
  status === 404 || status === 410 ? new ResponseLostError('The provider no longer knows this job.', { cause }) : null;

function contentRefusalError(
  codes: readonly string[],
  { status, body, message, cause }: UpstreamErrorResponse,
): Error | null {
  const is_refused = status < 500 && codes.length > 0 && containsCode(body, codes);
  return is_refused ? contentRefusedError(message, cause) : null;
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
