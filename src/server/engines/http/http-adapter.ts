import { TASKS } from '#contract/catalog.ts';
import type { TaskId } from '#contract/ids.ts';
import { EngineError, type EngineJob } from '../engine.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { mappingContext } from '../mapping/mapping-context.ts';
import type { Service } from '../../net/service.ts';
import { type UpstreamOutput, saveOutputs } from '../save-outputs.ts';
import { AnswerLost, type UpstreamAdapter, type UpstreamHandle, type UpstreamState } from '../upstream.ts';
import { contentRefused, engineRefused, isRecord } from '../upstream-answers.ts';
import { createUpstreamHttp, type UpstreamHttp } from '../upstream-http.ts';
import type { HttpOptions } from './http-options.ts';
import { compileOptional, compileRequest } from './http-request.ts';
import { costOf, handleOf, outputsOf, progressOf, statementOf } from './read-answer.ts';

export interface HttpAdapterOptions {
  service: Service;
  /** null: the service takes none. */
  api_key: string | null;
  options: HttpOptions;
}

type Job = Pick<EngineJob, 'task' | 'model' | 'input' | 'work_dir' | 'signal'> &
  Partial<Pick<EngineJob, 'references'>> & { submit_key: string };

/**
 * Any service that is spoken to in JSON over HTTP, as the operator describes it in expressions.
 * @throws {MappingSyntaxError} naming the option
 */
export function createHttpAdapter({ service, api_key, options }: HttpAdapterOptions): UpstreamAdapter {
  const http = createUpstreamHttp({ service, api_key, headers: (key) => credentials(options, key) });
  const asks = compileRequests(options);
  const reads = compileReadings(options);
  const contextOf = (job: Job, more: Record<string, unknown> = {}) =>
    mappingContext(job, { options: { model: options.model, values: options.values }, ...more });

  async function stateOf(job: Job, given: { answer: unknown; handle?: UpstreamHandle }): Promise<UpstreamState> {
    const context = contextOf(job, given);
    const refused = statementOf(await reads.refused?.(context));
    if (refused !== null) throw contentRefused(refused === '' ? null : http.clean(refused));
    const failed = statementOf(await reads.failed?.(context));
    if (failed !== null) throw failedWith(http, failed);
    const handle = given.handle ?? handleOf(await reads.handle?.(context));
    if (reads.done ? (await reads.done(context)) === true : !reads.handle) {
      return finish(job, given.answer, handle);
    }
    if (!handle) throw new AnswerLost('The engine did not say how to ask for the job.');
    const progress = progressOf(await reads.progress?.(context));
    const poll_after_ms = options.poll_after_seconds && options.poll_after_seconds * 1000;
    return { status: 'accepted', handle, progress, ...(poll_after_ms ? { poll_after_ms } : {}) };
  }

  async function finish(job: Job, last_answer: unknown, handle: UpstreamHandle | null): Promise<UpstreamState> {
    const { path, init } = (await asks.result?.(contextOf(job, { answer: last_answer, handle }))) ?? {};
    const answer = path === undefined ? last_answer : await http.json(path, { ...init, signal: job.signal });
    const context = contextOf(job, { answer, handle });
    const outputs = outputsOf(await reads.outputs?.(context));
    const data = await reads.data?.(context);
    const used = await reads.used?.(context);
    const cost_micro_usd = costOf(await reads.cost_usd?.(context));
    const end = { cost_micro_usd, ...(handle ? { handle } : {}) };
    const missing = missingOf(job.task, outputs, data);
    if (missing !== null) return { status: 'unclear', reason: missing, result: null, ...end };
    const files = await saveOutputs(http, outputs ?? [], job);
    const result = { files, data: isRecord(data) ? data : null, ...(isRecord(used) ? { used } : {}) };
    return { status: 'succeeded', result, ...end };
  }

  return {
    takes_submit_key: options.takes_submit_key ?? options.submit_key_header !== undefined,
    async submit(job) {
      const { path, init } = await asks.submit(contextOf(job), job.references);
      const keyed = options.submit_key_header === undefined ? {} : { [options.submit_key_header]: job.submit_key };
      const headers = { ...(init.headers as Record<string, string>), ...keyed };
      return stateOf(job, { answer: await http.json(path, { ...init, headers, signal: job.signal }) });
    },
    async poll(job, handle) {
      if (!asks.poll) throw new EngineError('engine_failed', 'This engine can’t be asked again. Tell the operator.');
      const { path, init } = await asks.poll(contextOf(job, { handle }));
      return stateOf(job, { answer: await http.json(path, { ...init, signal: job.signal }), handle });
    },
    async cancel(handle, signal) {
      if (!asks.cancel) return;
      const context = { data: Object.freeze({ handle, options: { model: options.model } }), functions: {} };
      const { path, init } = await asks.cancel(context);
      const answer = await http.request(path, { ...init, signal }).catch(endedAlready);
      await answer?.body?.cancel();
    },
  };
}

const compileRequests = ({ submit, poll, cancel, result }: HttpOptions) => ({
  submit: compileRequest('submit', submit),
  poll: poll && compileRequest('poll', poll),
  cancel: cancel && compileRequest('cancel', cancel),
  result: result && compileRequest('result', result),
});

const READINGS = ['handle', 'done', 'failed', 'refused', 'progress', 'outputs', 'data', 'cost_usd', 'used'] as const;

const compileReadings = (options: HttpOptions): Partial<Record<(typeof READINGS)[number], Mapping | undefined>> =>
  Object.fromEntries(READINGS.map((name) => [name, compileOptional(name, options[name])]));

const credentials = ({ key_header = 'Authorization', key_prefix }: HttpOptions, api_key: string) => ({
  [key_header.toLowerCase()]: `${key_prefix ?? (key_header.toLowerCase() === 'authorization' ? 'Bearer ' : '')}${api_key}`,
});

const failedWith = (http: UpstreamHttp, sentence: string): EngineError =>
  engineRefused({ sentence: sentence === '' ? null : http.clean(sentence), cause: new Error('The job failed.') });

/** A job that has ended, or is not known any more, needs no stop. */
function endedAlready(error: unknown): null {
  if (error instanceof EngineError && error.code === 'engine_failed') return null;
  throw error;
}

/** Why what was called done is no result, as a sentence; null where it is one. */
function missingOf(task: TaskId, outputs: UpstreamOutput[] | null, data: unknown): string | null {
  const { min_assets, data: shape } = TASKS[task].output;
  if (outputs === null) return 'The engine says it is done, but its results can’t be understood.';
  if (outputs.length < min_assets) return 'The engine says it is done, but gave no result.';
  const needs_data = shape === 'search' || shape === 'scenes';
  return needs_data && !isRecord(data) ? 'The engine says it is done, but gave no data.' : null;
}
