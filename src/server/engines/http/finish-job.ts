import { TASKS } from '#contract/catalog.ts';
import type { TaskId } from '#contract/ids.ts';
import type { MappingContext } from '../mapping/mapping-context.ts';
import { chargedWork, toUpstreamCost } from '../job-cost.ts';
import { type UpstreamOutput, saveOutputs } from '../save-outputs.ts';
import { type UpstreamHandle, type UpstreamState, unreadableResponseError } from '../upstream.ts';
import { isRecord } from '../upstream-errors.ts';
import type { UpstreamHttp } from '../upstream-http.ts';
import type { ResponseMappings } from './http-request.ts';
import { parseCost, parseOutputs } from './parse-response.ts';

/** Reads the result of a completed job and saves its files. @throws like `saveOutputs`; {ResponseLostError} */
export async function finishJob(
  http: Pick<UpstreamHttp, 'download'>,
  job: { task: TaskId; work_dir: string; signal: AbortSignal },
  { mappings, context, response, handle }: CompletedJob,
  max_output_bytes: number | undefined,
): Promise<UpstreamState> {
  const outputs = parseOutputs(await mappings.outputs?.(context));
  const data = await mappings.data?.(context);
  const used = await mappings.used?.(context);
  const cost_micro_usd = parseCost(await mappings.cost_usd?.(context));
  const details = { cost_micro_usd, ...(handle ? { handle } : {}) };
  const reason = missingResultReason(job.task, outputs, data);
  if (reason !== null && !isRecord(response)) throw unreadableResponseError();
  if (reason !== null) return { status: 'unclear', reason, result: null, ...details };
  const cost = toUpstreamCost(cost_micro_usd, 'reported');
  const files = await chargedWork(cost, () => saveOutputs(http, outputs ?? [], job, max_output_bytes));
  const result = { files, data: isRecord(data) ? data : null, ...(isRecord(used) ? { used } : {}) };
  return { status: 'succeeded', result, ...details };
}

/** Reads what expressions know about a job whose response was the output itself. */
export async function finishFile(
  file: string,
  { mappings, context, handle }: Omit<CompletedJob, 'response'>,
): Promise<UpstreamState> {
  const used = await mappings.used?.(context);
  const cost_micro_usd = parseCost(await mappings.cost_usd?.(context));
  const result = { files: [file], data: null, ...(isRecord(used) ? { used } : {}) };
  return { status: 'succeeded', result, cost_micro_usd, ...(handle ? { handle } : {}) };
}

interface CompletedJob {
  mappings: ResponseMappings;
  context: MappingContext;
  response: unknown;
  handle: UpstreamHandle | null;
}

/** Explains why a successful job has no usable result; null when it has one. */
function missingResultReason(task: TaskId, outputs: UpstreamOutput[] | null, data: unknown): string | null {
  const { min_assets, data: shape } = TASKS[task].output;
  if (outputs === null) return 'The provider reported success, but its outputs are unreadable.';
  if (outputs.length < min_assets) return 'The provider reported success but returned no result.';
  const needs_data = shape === 'search' || shape === 'scenes';
  return needs_data && !isRecord(data) ? 'The provider reported success but returned no data.' : null;
}
