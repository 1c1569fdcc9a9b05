import { TASKS } from '#contract/catalog.ts';
import type { TaskId } from '#contract/ids.ts';
import type { MappingContext } from '../mapping/mapping-context.ts';
import { type UpstreamOutput, saveOutputs } from '../save-outputs.ts';
import { ResponseLostError, type UpstreamHandle, type UpstreamState } from '../upstream.ts';
import { isRecord } from '../upstream-errors.ts';
import type { UpstreamHttp } from '../upstream-http.ts';
import type { ResponseMappings } from './compile-options.ts';
import { parseCost, parseOutputs } from './parse-response.ts';

/** Reads what a job that is done made, and saves its files. @throws as `saveOutputs` does; {ResponseLostError} */
export async function finishJob(
  http: UpstreamHttp,
  job: { task: TaskId; work_dir: string; signal: AbortSignal },
  { reads, context, answer, handle }: FinishedJob,
  max_output_bytes: number | undefined,
): Promise<UpstreamState> {
  const outputs = parseOutputs(await reads.outputs?.(context));
  const data = await reads.data?.(context);
  const used = await reads.used?.(context);
  const cost_micro_usd = parseCost(await reads.cost_usd?.(context));
  const end = { cost_micro_usd, ...(handle ? { handle } : {}) };
  const reason = missingResultReason(job.task, outputs, data);
  if (reason !== null && !isRecord(answer))
    throw new ResponseLostError('The answer of the engine can’t be understood.');
  if (reason !== null) return { status: 'unclear', reason, result: null, ...end };
  const files = await saveOutputs(http, outputs ?? [], job, max_output_bytes);
  const result = { files, data: isRecord(data) ? data : null, ...(isRecord(used) ? { used } : {}) };
  return { status: 'succeeded', result, ...end };
}

interface FinishedJob {
  reads: ResponseMappings;
  context: MappingContext;
  answer: unknown;
  handle: UpstreamHandle | null;
}

/** Why what was called done is no result, as a sentence; null where it is one. */
function missingResultReason(task: TaskId, outputs: UpstreamOutput[] | null, data: unknown): string | null {
  const { min_assets, data: shape } = TASKS[task].output;
  if (outputs === null) return 'The provider reported success, but its results can’t be understood.';
  if (outputs.length < min_assets) return 'The provider reported success but returned no result.';
  const needs_data = shape === 'search' || shape === 'scenes';
  return needs_data && !isRecord(data) ? 'The provider reported success but returned no data.' : null;
}
