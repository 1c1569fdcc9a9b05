import * as z from 'zod/mini';
import { isRecord } from '../upstream-errors.ts';

const progressState = z.object({
  type: z.literal('progress_state'),
  data: z.object({
    prompt_id: z.string(),
    nodes: z.record(z.string(), z.object({ value: z.number(), max: z.number(), state: z.string() })),
  }),
});

/**
 * How far a workflow is by what ComfyUI's websocket says of its nodes. A node that takes `steps` counts as so many; what
 * comes from the cache is not told of and counts when the end is there.
 * @param workflow as it stands in the queue
 * @returns 0 to 1; null where the message is of something else
 */
export function workflowProgress(message: string, prompt_id: string, workflow: unknown): number | null {
  const { data: told } = progressState.safeParse(parseJson(message));
  if (!told || told.data.prompt_id !== prompt_id || !isRecord(workflow)) return null;
  let [all, done] = [0, 0];
  for (const [id, node] of Object.entries(workflow)) {
    const weight = nodeWeight(node);
    const { state, value, max } = told.data.nodes[id] ?? { state: 'pending', value: 0, max: 1 };
    all += weight;
    if (state === 'finished') done += weight;
    if (state === 'running' && max > 0) done += weight * Math.min(Math.max(value / max, 0), 1);
  }
  return all === 0 ? null : done / all;
}

function nodeWeight(node: unknown): number {
  const inputs = isRecord(node) && isRecord(node['inputs']) ? node['inputs'] : {};
  const steps = inputs['steps'];
  return typeof steps === 'number' && steps >= 1 ? steps : 1;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
