import type { ComfyUiNode, ComfyUiWorkflow } from './compile-workflow.ts';

/**
 * Removes nodes with the inputs that link to them. A node that only passes on what a removed node gave it is removed
 * too, unless it is in `kept`.
 */
export function removeNodes(
  workflow: ComfyUiWorkflow,
  ids: ReadonlySet<string>,
  kept: ReadonlySet<string>,
): ComfyUiWorkflow {
  if (ids.size === 0) return workflow;
  const removed = new Set(ids);
  const remaining: Record<string, ComfyUiNode> = {};
  for (const [id, node] of Object.entries(workflow)) {
    if (ids.has(id)) continue;
    const inputs = Object.entries(node.inputs).filter(([, value]) => !(isLink(value) && ids.has(value[0])));
    const lost_a_link = inputs.length < Object.keys(node.inputs).length;
    const is_unused = lost_a_link && !kept.has(id) && !inputs.some(([, value]) => isLink(value));
    if (is_unused) removed.add(id);
    remaining[id] = { ...node, inputs: Object.fromEntries(inputs) };
  }
  const unused = new Set([...removed].filter((id) => !ids.has(id)));
  return removeNodes(remaining, unused, kept);
}

const isLink = (value: unknown): value is [string, number] =>
  Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'number';
