import { parseComfyUiResponse } from '#server/models/providers/comfyui/comfyui-schemas.ts';
import type { ComfyUiWorkflow } from '#server/models/providers/comfyui/compile-workflow.ts';
import type { UpstreamHttp } from '#server/models/engine/upstream-http.ts';
import { cloudJobSchema, cloudJobsSchema } from './comfy-cloud-schemas.ts';

/** Appends a mark to the names of saved files: Comfy Cloud takes no id and no idempotency key with a prompt. */
export const markOutputs = (workflow: ComfyUiWorkflow, mark: string): ComfyUiWorkflow =>
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
export async function findMarkedJob(
  http: Pick<UpstreamHttp, 'requestJson'>,
  mark: string,
  submitted_at: Date,
  signal: AbortSignal,
): Promise<string | null> {
  const query = new URLSearchParams({ sort_by: 'create_time', sort_order: 'desc', limit: String(MAX_JOBS) });
  const { jobs } = parseComfyUiResponse(cloudJobsSchema, await http.requestJson(`/jobs?${query}`, { signal }));
  const since = submitted_at.getTime() - CLOCK_TOLERANCE_MS;
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
