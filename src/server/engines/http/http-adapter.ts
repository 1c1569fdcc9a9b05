import type { EngineJob } from '../engine.ts';
import { EngineError } from '../engine.ts';
import { createMappingContext } from '../mapping/mapping-context.ts';
import type { RemoteService } from '#server/net/remote-service.ts';
import type { UpstreamAdapter } from '../upstream.ts';
import { ResponseLostError, type UpstreamHandle, type UpstreamState } from '../upstream.ts';
import { contentRefusedError, isRecord, type UpstreamErrorResponse } from '../upstream-errors.ts';
import { createUpstreamHttp } from '../upstream-http.ts';
import { finishJob } from './finish-job.ts';
import type { HttpOptions } from './http-options.ts';
import { compileResponseMappings, compileRequests } from './compile-options.ts';
import { jobFailureError, parseHandle, parseProgress, parseJobState } from './parse-response.ts';

export interface HttpAdapterOptions {
  service: RemoteService;
  /** null: the service takes none. */
  api_key: string | null;
  options: HttpOptions;
  max_output_bytes?: number;
}

type Job = Pick<EngineJob, 'task' | 'model' | 'input' | 'work_dir' | 'signal'> &
  Partial<Pick<EngineJob, 'references'>> & { submit_key: string };

/**
 * Any service that is spoken to in JSON over HTTP, as the operator describes it in expressions.
 * @throws {MappingSyntaxError} naming the option
 */
export function createHttpAdapter({
  service,
  api_key,
  options,
  max_output_bytes,
}: HttpAdapterOptions): UpstreamAdapter {
  const speak = (explain: (refusal: UpstreamErrorResponse) => Error | null) =>
    createUpstreamHttp({ service, api_key, headers: (key) => credentials(options, key), mapError: explain });
  const refusalOf = (refusal: UpstreamErrorResponse) => contentRefusalError(options.refusal_codes, refusal);
  const http = speak(refusalOf);
  const asking = speak((refusal) => unknownJobError(refusal) ?? refusalOf(refusal));
  const asks = compileRequests(options);
  const reads = compileResponseMappings(options);
  const { model, values, poll_after_seconds, submit_key_header } = options;
  const contextOf = (job: Job, more: Record<string, unknown> = {}) =>
    createMappingContext(job, { options: { model, values }, ...more });

  /** @param known set when a job is asked for again */
  async function judge(job: Job, answer: unknown, known: UpstreamHandle | null): Promise<UpstreamState> {
    const context = contextOf(job, { answer, handle: known });
    const handle = known ?? parseHandle(await reads.handle?.(context));
    const said = reads.state && parseJobState(await reads.state(context), options.states);
    // The answer to a submit may say no more than the id.
    const state = said ?? (reads.handle ? known === null && handle && 'working' : 'done');
    if (!state) throw new ResponseLostError('The answer of the engine can’t be understood.');
    if (state === 'done') {
      const fetchResult = async () => {
        if (!asks.result) return answer;
        const { path, init } = await asks.result(contextOf(job, { answer, handle }));
        return asking.requestJson(path, { ...init, signal: job.signal });
      };
      const result = await fetchResult();
      const read = { reads, context: contextOf(job, { answer: result, handle }), answer: result, handle };
      return finishJob(http, job, read, max_output_bytes);
    }
    if (state !== 'working') throw jobFailureError(state, await reads.error?.(context), http.redact);
    if (!handle) throw new ResponseLostError('The engine did not say how to ask for the job.');
    const poll_after_ms = poll_after_seconds === undefined ? null : poll_after_seconds * 1000;
    return { status: 'accepted', handle, progress: parseProgress(await reads.progress?.(context)), poll_after_ms };
  }

  return {
    supports_submit_key: options.takes_submit_key ?? submit_key_header !== undefined,
    async submit(job) {
      const { path, init } = await asks.submit(contextOf(job), job.references);
      const headers = { ...init.headers, ...(submit_key_header ? { [submit_key_header]: job.submit_key } : {}) };
      return judge(job, await http.requestJson(path, { ...init, headers, signal: job.signal }), null);
    },
    async poll(job, handle) {
      if (!asks.poll) throw new ResponseLostError('This engine is not set up to be asked again.');
      const { path, init } = await asks.poll(contextOf(job, { handle }));
      return judge(job, await asking.requestJson(path, { ...init, signal: job.signal }), handle);
    },
    async cancel(handle, signal) {
      if (!asks.cancel) return;
      const context = { data: { handle, options: { model, values } }, functions: {} };
      const { path, init } = await asks.cancel(context);
      const answer = await http.request(path, { ...init, signal }).catch(ignoreEngineFailure);
      await answer?.body?.cancel();
    },
  };
}

function credentials({ key_header = 'authorization', key_prefix }: HttpOptions, api_key: string) {
  const name = key_header.toLowerCase();
  return { [name]: `${key_prefix ?? (name === 'authorization' ? 'Bearer ' : '')}${api_key}` };
}

const unknownJobError = ({ status, cause }: UpstreamErrorResponse): Error | null =>
  status === 404 || status === 410
    ? new ResponseLostError('The engine does not know this job any more.', { cause })
    : null;

function contentRefusalError(
  codes: readonly string[],
  { status, body, message, cause }: UpstreamErrorResponse,
): Error | null {
  const refused = status < 500 && codes.length > 0 && containsCode(body, codes);
  return refused ? contentRefusedError(message, cause) : null;
}

function containsCode(value: unknown, codes: readonly string[]): boolean {
  if (typeof value === 'string') return codes.includes(value);
  if (Array.isArray(value)) return value.some((part) => containsCode(part, codes));
  return isRecord(value) && Object.values(value).some((part) => containsCode(part, codes));
}

/** A job that has ended, or is not known any more, needs no stop. */
function ignoreEngineFailure(error: unknown): null {
  if (error instanceof EngineError && error.code === 'engine_failed') return null;
  throw error;
}
