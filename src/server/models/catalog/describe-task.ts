import * as z from 'zod/mini';
import { hasModels, inputContract, TASKS } from '#contract/catalog.ts';
import type { TaskId } from '#contract/ids.ts';
import { inputSchema } from '#contract/parse-input.ts';
import type { Task } from '#contract/resources/catalog.ts';
import { Asset } from '#contract/resources/generation.ts';
import { OUTPUT_DATA } from '#contract/resources/output-data.ts';
import type { InputContract, OutputContract } from '#contract/task.ts';

type Json = Record<string, unknown>;

export const inputJsonSchema = (
  contract: InputContract,
  target: 'draft-2020-12' | 'openapi-3.0' = 'draft-2020-12',
): Json => z.toJSONSchema(inputSchema(contract), { io: 'input', unrepresentable: 'any', target }) as Json;

/** Spec: Task output envelope */
function outputJsonSchema({ min_assets, max_assets, data }: OutputContract): Json {
  const bounds = [z.minLength(min_assets), ...(max_assets === null ? [] : [z.maxLength(max_assets)])];
  const assets = z.array(Asset).check(...bounds);
  return z.toJSONSchema(z.strictObject({ assets, data: OUTPUT_DATA[data] }), {
    io: 'output',
    unrepresentable: 'any',
  }) as Json;
}

const taskCache = new Map<TaskId, Omit<Task, 'available' | 'unavailable_reason' | 'models'>>();

/** A task as the catalog lists it, without its availability, which depends on the configured engines. */
export function describeTask(id: TaskId, models: Task['models']): Omit<Task, 'available' | 'unavailable_reason'> {
  const cached = taskCache.get(id) ?? describeFixedParts(id);
  taskCache.set(id, cached);
  const { requires_model, ...rest } = cached;
  const { input_schema, output_schema, ...head } = rest;
  return { ...head, requires_model, models, ...(input_schema ? { input_schema } : {}), output_schema };
}

function describeFixedParts(id: TaskId) {
  const task = TASKS[id];
  const contract = inputContract(id, null);
  return {
    id,
    object: 'task' as const,
    name: task.name,
    description: task.description,
    media_type: task.media_type,
    requires_model: hasModels(id),
    ...(contract ? { input_schema: inputJsonSchema(contract) } : {}),
    output_schema: outputJsonSchema(task.output),
  };
}
