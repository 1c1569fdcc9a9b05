import { TASKS } from '#contract/catalog.ts';
import type { TaskId } from '#contract/ids.ts';
import type { MappingContext } from '../mapping/mapping-context.ts';
import { type UpstreamOutput, saveOutputs } from '../save-outputs.ts';
import { AnswerLost, type UpstreamHandle, type UpstreamState } from '../upstream.ts';
import { isRecord } from '../upstream-answers.ts';
import type { UpstreamHttp } from '../upstream-http.ts';
import type { Readings } from './compile-options.ts';
import { costOf, outputsOf } from './read-answer.ts';

/** Reads what a job that is done made, and saves its files. @throws as `saveOutputs` does; {AnswerLost} */
export async function finishJob(
  http: UpstreamHttp,
  job: { task: TaskId; work_dir: string; signal: AbortSignal },
  { reads, context, answer, handle }: Finished,
  max_output_bytes: number | undefined,
): Promise<UpstreamState> {
  const outputs = outputsOf(await reads.outputs?.(context));
  const data = await reads.data?.(context);
  const used = await reads.used?.(context);
  const cost_micro_usd = costOf(await reads.cost_usd?.(context));
  const end = { cost_micro_usd, ...(handle ? { handle } : {}) };
  const reason = missingOf(job.task, outputs, data);
  if (reason !== null && !isRecord(answer)) throw new AnswerLost('The answer of the engine can’t be understood.');
  if (reason !== null) return { status: 'unclear', reason, result: null, ...end };
  const files = await saveOutputs(http, outputs ?? [], job, max_output_bytes);
  const result = { files, data: isRecord(data) ? data : null, ...(isRecord(used) ? { used } : {}) };
  return { status: 'succeeded', result, ...end };
}

interface Finished {
  reads: Readings;
  context: MappingContext;
  answer: unknown;
  handle: UpstreamHandle | null;
}

/** Why what was called done is no result, as a sentence; null where it is one. */
function missingOf(task: TaskId, outputs: UpstreamOutput[] | null, data: unknown): string | null {
  const { min_assets, data: shape } = TASKS[task].output;
  if (outputs === null) return 'The provider reported success, but its results can’t be understood.';
  if (outputs.length < min_assets) return 'The provider reported success but returned no result.';
  const needs_data = shape === 'search' || shape === 'scenes';
  return needs_data && !isRecord(data) ? 'The provider reported success but returned no data.' : null;
}
