import * as z from 'zod/mini';
import { MAX_PRESET_NAME_LENGTH } from '../preset-limits.ts';
import { id, jsonObject, modelId, taskId, timestamp } from '../primitives.ts';
import { creatorSchema } from './creator.ts';

const presetName = () => z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_PRESET_NAME_LENGTH));

const summaryFields = {
  id: id('pst'),
  object: z.literal('preset'),
  name: z.string(),
  task: taskId(),
  model: z.nullable(modelId()),
  /** Everyone in the organization sees it. */
  shared: z.boolean(),
  /** Whether the caller may change and delete it. */
  can_edit: z.boolean(),
  created_by: creatorSchema(),
  created_at: timestamp(),
  updated_at: timestamp(),
};

/** A saved form, without its values. Decision: Presets */
export const PresetSummary = z.strictObject({
  ...summaryFields,
  /** The beginning of its prompt or query. */
  prompt: z.nullable(z.string()),
});
export type PresetSummary = z.infer<typeof PresetSummary>;

/** A saved form. Links to media of the service are new ones. */
export const Preset = z.strictObject({
  ...summaryFields,
  /** Some required fields may be absent. */
  input: jsonObject(),
  /** Fields whose media were deleted, or belong to work that the caller does not see. They are not in `input`. */
  missing_media: z.array(z.string()),
});
export type Preset = z.infer<typeof Preset>;

export const PresetCreate = z.strictObject({
  name: presetName(),
  task: taskId(),
  model: z._default(z.nullable(modelId()), null),
  /** Fields of the task. Those that are absent stay empty. */
  input: jsonObject(),
  shared: z._default(z.boolean(), false),
});

export const PresetUpdate = z.strictObject({
  name: z.optional(presetName()),
  shared: z.optional(z.boolean()),
  /** Replaces the saved form. */
  form: z.optional(
    z.strictObject({ task: taskId(), model: z._default(z.nullable(modelId()), null), input: jsonObject() }),
  ),
});

/** A prompt that the caller used. */
export const RecentPrompt = z.strictObject({
  object: z.literal('recent_prompt'),
  prompt: z.string(),
  task: taskId(),
  created_at: timestamp(),
});
export type RecentPrompt = z.infer<typeof RecentPrompt>;
