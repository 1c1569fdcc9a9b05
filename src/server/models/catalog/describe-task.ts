import * as z from 'zod/mini';
import { inputContract, modelsForTask, TASKS } from '#contract/catalog.ts';
import type { TaskId } from '#contract/ids.ts';
import { inputSchema } from '#contract/parse-input.ts';
import type { Task } from '#contract/resources/catalog.ts';
import { Asset } from '#contract/resources/generation.ts';
import { OUTPUT_DATA } from '#contract/resources/output-data.ts';
import type { InputContract, OutputContract } from '#contract/task.ts';

type Json = Record<string, unknown>;

export const inputJsonSchema = (contract: InputContract): Json =>
  z.toJSONSchema(inputSchema(contract), { io: 'input', unrepresentable: 'any' }) as Json;

/** Spec: Task output envelope */
function outputJsonSchema({ min_assets, max_assets, data }: OutputContract): Json {
  const bounds = [z.minLength(min_assets), ...(max_assets === null ? [] : [z.maxLength(max_assets)])];
  const assets = z.array(Asset).check(...bounds);
  return z.toJSONSchema(z.strictObject({ assets, data: OUTPUT_DATA[data] }), {
    io: 'output',
    unrepresentable: 'any',
  }) as Json;
}

const taskCache = new Map<TaskId, Omit<Task, 'available' | 'unavailable_reason'>>();

/** A task as the catalog lists it, without its availability, which depends on the configured engines. */
export function describeTask(id: TaskId): Omit<Task, 'available' | 'unavailable_reason'> {
  const cached = taskCache.get(id);
  if (cached) return cached;
  const task = TASKS[id];
  const contract = inputContract(id, null);
  const description = {
    id,
    object: 'task' as const,
    name: task.name,
    description: task.description,
    media_type: task.media_type,
    requires_model: modelsForTask(id).length > 0,
    models: modelsForTask(id),
    ...(contract ? { input_schema: inputJsonSchema(contract) } : {}),
    output_schema: outputJsonSchema(task.output),
  };
  taskCache.set(id, description);
  return description;
}
