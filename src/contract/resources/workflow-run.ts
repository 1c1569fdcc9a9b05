import * as z from 'zod/mini';
import { id, jsonObject, modelId, taskId, timestamp, usd } from '../primitives.ts';
import { GENERATION_STATUSES } from '../generation-status.ts';
import { LineItem } from './generation.ts';

/** Decision: Workflow runs */
export const WorkflowRun = z.strictObject({
  id: id('run'),
  object: z.literal('workflow_run'),
  starter_slug: z.string(),
  status: z.enum(GENERATION_STATUSES),
  input: jsonObject(),
  steps: z.array(
    z.strictObject({
      key: z.string(),
      name: z.string(),
      task: taskId(),
      model: z.nullable(modelId()),
      status: z.string(),
      generation_id: z.nullable(id('gen')),
    }),
  ),
  output: z.nullable(jsonObject()),
  usage: z.strictObject({ amount_usd: usd(), line_items: z.array(LineItem) }),
  error: z.nullable(z.strictObject({ code: z.string(), message: z.string(), retryable: z.boolean() })),
  retry_of: z.nullable(id('run')),
  created_at: timestamp(),
  started_at: z.nullable(timestamp()),
  completed_at: z.nullable(timestamp()),
});

export const WorkflowRunCancel = z.strictObject({
  reason: z.optional(z.nullable(z.string().check(z.maxLength(500)))),
});

/** Spec: Query parameters */
export const STARTER_SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
