import { chargedWork, dollarsToBill, parseDecimal, toUpstreamCost } from '#server/models/engine/job-cost.ts';
import { TASKS } from '#contract/catalog.ts';
import type { TaskId } from '#contract/ids.ts';
import { EngineError, type UpstreamCost } from '#server/models/engine/engine.ts';
import type { MappingContext } from '#server/models/engine/mapping/mapping-context.ts';
import { saveOutputs, type UpstreamOutput } from '#server/models/engine/save-outputs.ts';
import { contentRefusedError, engineRejectedError, isRecord } from '#server/models/engine/upstream-errors.ts';
import type { UpstreamHttp } from '#server/models/engine/upstream-http.ts';
import { unreadableResponseError, type UpstreamHandle, type UpstreamState } from '#server/models/engine/upstream.ts';
import { type HttpOptions, JOB_STATES, type JobState } from './http-options.ts';
import type { ResponseMappings } from './http-request.ts';

/** @throws like `saveOutputs`; {ResponseLostError} */
export async function finishJob(
  http: Pick<UpstreamHttp, 'download' | 'redact'>,
  job: { task: TaskId; workDir: string; signal: AbortSignal },
  { mappings, context, response, handle }: CompletedJob,
  maxOutputBytes: number | undefined,
): Promise<UpstreamState> {
  const outputs = parseOutputs(await mappings.outputs?.(context));
  const data = await mappings.data?.(context);
  const used = await mappings.used?.(context);
  const cost = readCost(await mappings.cost_usd?.(context));
  const details = { cost_micro_usd: null, ...cost, ...(handle ? { handle } : {}) };
  const reason = missingResultReason(job.task, outputs, data);
  if (reason !== null && !isRecord(response)) throw unreadableResponseError();
  if (reason !== null) return { status: 'unclear', reason, result: null, ...details };
  const files = await chargedWork(cost, () => saveOutputs(http, outputs ?? [], job, maxOutputBytes));
  const result = { files, data: isRecord(data) ? data : null, ...(isRecord(used) ? { used } : {}) };
  return { status: 'succeeded', result, ...details };
}

export async function finishFile(
  file: string,
  { mappings, context, handle }: Omit<CompletedJob, 'response'>,
): Promise<UpstreamState> {
  const used = await mappings.used?.(context);
  const cost = readCost(await mappings.cost_usd?.(context));
  const result = { files: [file], data: null, ...(isRecord(used) ? { used } : {}) };
  return { status: 'succeeded', result, cost_micro_usd: null, ...cost, ...(handle ? { handle } : {}) };
}

interface CompletedJob {
  mappings: ResponseMappings;
  context: MappingContext;
  response: unknown;
  handle: UpstreamHandle | null;
}

function missingResultReason(task: TaskId, outputs: UpstreamOutput[] | null, data: unknown): string | null {
  const { min_assets, data: shape } = TASKS[task].output;
  if (outputs === null) return 'The provider reported success, but its outputs are unreadable.';
  if (outputs.length < min_assets) return 'The provider reported success but returned no result.';
  const needsData = shape === 'search' || shape === 'scenes';
  return needsData && !isRecord(data) ? 'The provider reported success but returned no data.' : null;
}

/** Accepts an object, or an id as `{ id }`; null for anything else. */
export function parseHandle(value: unknown): UpstreamHandle | null {
  if (isRecord(value)) return value;
  return typeof value === 'string' || typeof value === 'number' ? { id: value } : null;
}

/** Maps a state through `states`; null for an unknown state. */
export function parseJobState(value: unknown, states: HttpOptions['states']): JobState | null {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const mapped = states ? (Object.hasOwn(states, text) ? states[text] : undefined) : text;
  return JOB_STATES.find((state) => state === mapped) ?? null;
}

export type FailedJobState = Exclude<JobState, 'working' | 'done'>;

export function jobFailureError(state: FailedJobState, reason: unknown, redact: (text: string) => string): EngineError {
  const sentence = typeof reason === 'string' && reason.trim() !== '' ? redact(reason) : null;
  const cause = new Error(`The job is ${state}.`);
  if (state === 'refused') return contentRefusedError(sentence, cause);
  if (state === 'failed') return engineRejectedError({ message: sentence, cause });
  return new EngineError('engine_failed', 'The provider stopped the job before it completed.', {
    retryable: true,
    cause,
  });
}

export const parseProgress = (value: unknown): number | null =>
  typeof value === 'number' ? Math.min(Math.max(value, 0), 1) : null;

/** Reads dollars, a number or a text; null if there are none. */
export function readCost(value: unknown): UpstreamCost | null {
  const dollars = typeof value === 'string' && value.trim() !== '' ? parseDecimal(value) : value;
  return toUpstreamCost(typeof dollars === 'number' ? dollarsToBill(dollars) : null, 'reported');
}

/** Parses URLs and base64 texts, one or many; null when the list contains anything else. */
export function parseOutputs(value: unknown): UpstreamOutput[] | null {
  const list = value === undefined || value === null ? [] : [value].flat();
  const outputs = list.flatMap((item): UpstreamOutput[] => {
    if (typeof item === 'string' && item !== '') return [{ url: item }];
    if (!isRecord(item)) return [];
    if (typeof item['base64'] === 'string') return [{ base64: item['base64'] }];
    return typeof item['url'] === 'string' ? [{ url: item['url'] }] : [];
  });
  return outputs.length === list.length ? outputs : null;
}
