import * as z from 'zod/mini';
import { isRecord } from '#server/models/engine/upstream-errors.ts';

const progressState = z.object({
  type: z.literal('progress_state'),
  data: z.object({
    prompt_id: z.string(),
    nodes: z.record(z.string(), z.object({ value: z.number(), max: z.number(), state: z.string() })),
  }),
});

export interface WorkflowProgress {
  fraction: number;
  /** Title of the node that runs; null between nodes. */
  stage: string | null;
}

/**
 * A node counts by its `steps`; cached nodes are never reported and count only at the end.
 * @param workflow as in the queue @returns null for other messages
 */
export function workflowProgress(message: string, promptId: string, workflow: unknown): WorkflowProgress | null {
  const { data: progress } = progressState.safeParse(parseJson(message));
  if (!progress || progress.data.prompt_id !== promptId || !isRecord(workflow)) return null;
  let [all, done] = [0, 0];
  let stage: string | null = null;
  for (const [id, node] of Object.entries(workflow)) {
    const weight = nodeWeight(node);
    const { state, value, max } = progress.data.nodes[id] ?? { state: 'pending', value: 0, max: 1 };
    all += weight;
    if (state === 'finished') done += weight;
    if (state !== 'running') continue;
    stage = nodeTitle(node);
    if (max > 0) done += weight * Math.min(Math.max(value / max, 0), 1);
  }
  return all === 0 ? null : { fraction: done / all, stage };
}

function nodeTitle(node: unknown): string | null {
  const { _meta: meta, class_type } = isRecord(node) ? node : {};
  const title = isRecord(meta) ? meta['title'] : undefined;
  return [title, class_type].find((text): text is string => typeof text === 'string' && text.trim() !== '') ?? null;
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
