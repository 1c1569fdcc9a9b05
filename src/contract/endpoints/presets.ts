import * as z from 'zod/mini';
import { GENERATION_REQUEST_CODES, INVALID_REQUEST, SERVICE_UNAVAILABLE, defineEndpoint } from '../endpoint.ts';
import { ENDPOINT_ROUTES } from '../endpoint-routes.ts';
import { MAX_RECENT_PROMPTS } from '../preset-limits.ts';
import { listSchema, pathId, queryCursor, queryInteger, querySchema, taskId } from '../primitives.ts';
import { PromptImprovement, PromptImprovementCreate } from '../resources/prompt-improvement.ts';
import { Preset, PresetCreate, PresetSummary, PresetUpdate, RecentPrompt } from '../resources/preset.ts';

const presetPath = { params: z.object({ preset_id: pathId() }) };
const common = { tag: 'Presets', addition: true } as const;

/** Decision: Presets */
export const presetEndpoints = {
  list_presets: defineEndpoint({
    ...ENDPOINT_ROUTES.list_presets,
    ...common,
    summary: 'List one’s own presets and the shared ones, newest first',
    query: querySchema({
      limit: queryInteger(50, 1, 200),
      cursor: queryCursor(),
      task: z.optional(taskId()),
    }),
    status: 200,
    response: listSchema(PresetSummary),
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
  }),
  create_preset: defineEndpoint({
    ...ENDPOINT_ROUTES.create_preset,
    ...common,
    summary: 'Save a form as a preset',
    body: PresetCreate,
    idempotency: 'optional',
    status: 201,
    response: Preset,
    errors: { 400: INVALID_REQUEST, 409: ['idempotency_conflict'], 422: INVALID_REQUEST },
  }),
  get_preset: defineEndpoint({
    ...ENDPOINT_ROUTES.get_preset,
    ...common,
    ...presetPath,
    summary: 'Read a preset with its input',
    status: 200,
    response: Preset,
    errors: { 404: ['not_found'], 422: INVALID_REQUEST },
  }),
  update_preset: defineEndpoint({
    ...ENDPOINT_ROUTES.update_preset,
    ...common,
    ...presetPath,
    summary: 'Rename, replace, share or unshare a preset',
    body: PresetUpdate,
    status: 200,
    response: Preset,
    errors: { 400: INVALID_REQUEST, 404: ['not_found'], 422: INVALID_REQUEST },
  }),
  delete_preset: defineEndpoint({
    ...ENDPOINT_ROUTES.delete_preset,
    ...common,
    ...presetPath,
    summary: 'Delete a preset',
    status: 204,
    response: null,
    errors: { 404: ['not_found'], 422: INVALID_REQUEST },
  }),
  list_recent_prompts: defineEndpoint({
    ...ENDPOINT_ROUTES.list_recent_prompts,
    ...common,
    summary: 'List one’s own latest prompts, each once',
    query: querySchema({
      limit: queryInteger(20, 1, MAX_RECENT_PROMPTS),
      task: z.optional(taskId()),
    }),
    status: 200,
    response: listSchema(RecentPrompt),
    errors: { 422: INVALID_REQUEST },
  }),
  improve_prompt: defineEndpoint({
    ...ENDPOINT_ROUTES.improve_prompt,
    ...common,
    summary: 'Improve a prompt with the text model of a connected provider',
    body: PromptImprovementCreate,
    status: 200,
    response: PromptImprovement,
    errors: { 400: GENERATION_REQUEST_CODES, 422: INVALID_REQUEST, 503: SERVICE_UNAVAILABLE },
  }),
} as const;
