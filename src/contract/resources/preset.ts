import * as z from 'zod/mini';
import { line } from '../one-line.ts';
import { defineEndpoints, INVALID_REQUEST } from '#contract/api/endpoint.ts';
import { MAX_PRESET_NAME_LENGTH, MAX_RECENT_PROMPTS } from '../limits.ts';
import {
  creatorSchema,
  id,
  jsonObject,
  listSchema,
  modelId,
  pathId,
  queryCursor,
  queryInteger,
  querySchema,
  taskId,
  timestamp,
} from '../primitives.ts';

const presetName = () => line(MAX_PRESET_NAME_LENGTH);

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

const PresetCreate = z.strictObject({
  name: presetName(),
  task: taskId(),
  model: z._default(z.nullable(modelId()), null),
  /** Fields of the task. Those that are absent stay empty. */
  input: jsonObject(),
  shared: z._default(z.boolean(), false),
});

const PresetUpdate = z.strictObject({
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

const presetPath = { params: z.object({ preset_id: pathId() }) };

/** Decision: Presets */
export const presetEndpoints = defineEndpoints('Presets', {
  list_presets: {
    summary: 'List one’s own presets and the shared ones, newest first',
    query: querySchema({
      limit: queryInteger(50, 1, 200),
      cursor: queryCursor(),
      task: z.optional(taskId()),
    }),
    status: 200,
    response: listSchema(PresetSummary),
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
  },
  create_preset: {
    summary: 'Save a form as a preset',
    body: PresetCreate,
    idempotency: 'optional',
    status: 201,
    response: Preset,
    errors: { 400: INVALID_REQUEST, 409: ['idempotency_conflict'], 422: INVALID_REQUEST },
  },
  get_preset: {
    ...presetPath,
    summary: 'Read a preset with its input',
    status: 200,
    response: Preset,
    errors: { 404: ['not_found'], 422: INVALID_REQUEST },
  },
  update_preset: {
    ...presetPath,
    summary: 'Rename, replace, share or unshare a preset',
    body: PresetUpdate,
    status: 200,
    response: Preset,
    errors: { 400: INVALID_REQUEST, 404: ['not_found'], 422: INVALID_REQUEST },
  },
  delete_preset: {
    ...presetPath,
    summary: 'Delete a preset',
    status: 204,
    response: null,
    errors: { 404: ['not_found'], 422: INVALID_REQUEST },
  },
  list_recent_prompts: {
    summary: 'List one’s own latest prompts, each once',
    query: querySchema({
      limit: queryInteger(20, 1, MAX_RECENT_PROMPTS),
      task: z.optional(taskId()),
    }),
    status: 200,
    response: listSchema(RecentPrompt),
    errors: { 422: INVALID_REQUEST },
  },
});
