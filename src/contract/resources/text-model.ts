import * as z from 'zod/mini';
import {
  defineEndpoints,
  GENERATION_REQUEST_CODES,
  INVALID_REQUEST,
  SERVICE_UNAVAILABLE,
} from '#contract/api/endpoint.ts';
import { MAX_IMPROVED_PROMPT_CHARACTERS, TEXT_MODEL_PATTERN, TEXT_MODEL_PATTERN_MESSAGE } from '../limits.ts';
import { modelId, taskId, usd } from '../primitives.ts';
import { dollarsSchema } from './budget.ts';

const dollarsPerMillion = () => dollarsSchema('Enter dollars per million tokens such as 0.5.');

/** The text model of a provider, which improves prompts. Decision: Improve a prompt */
export const TextModel = z.strictObject({
  /** As the provider names it. */
  model: z.string().check(z.trim(), z.maxLength(200), z.regex(TEXT_MODEL_PATTERN, TEXT_MODEL_PATTERN_MESSAGE)),
  input_usd_per_million: dollarsPerMillion(),
  output_usd_per_million: dollarsPerMillion(),
  /** What its calls may cost per day (UTC) at most. */
  daily_limit_usd: dollarsSchema('Enter an amount in dollars such as 1.'),
});
export type TextModel = z.infer<typeof TextModel>;

const textUsage = () => z.strictObject({ count: z.int(), cost_usd: usd() });

/** A text model in use, with what its calls cost. */
export const ProviderTextModel = z.strictObject({
  model: z.string(),
  input_usd_per_million: usd(),
  output_usd_per_million: usd(),
  daily_limit_usd: usd(),
  /** New calls go to it: the provider is active, and none before it has a text model. */
  is_used: z.boolean(),
  /** Calls since midnight UTC. */
  today: textUsage(),
  /** Calls since the first of the month, UTC. */
  this_month: textUsage(),
});
export type ProviderTextModel = z.infer<typeof ProviderTextModel>;

/** The text model to begin with; null where the caller knows what the server has. */
export const TextModelSuggestion = z.strictObject({
  model: z.string(),
  input_usd_per_million: usd(),
  output_usd_per_million: usd(),
  /** Day on which the prices were read, and where. */
  read_on: z.string(),
  source: z.string(),
});
export type TextModelSuggestion = z.infer<typeof TextModelSuggestion>;

const PromptImprovementCreate = z.strictObject({
  task: taskId(),
  /** null: a task without models. */
  model: z._default(z.nullable(modelId()), null),
  prompt: z.string().check(
    z.refine((text) => text.trim() !== '', 'Enter a prompt.'),
    z.refine(
      (text) => [...text].length <= MAX_IMPROVED_PROMPT_CHARACTERS,
      `Prompts of at most ${MAX_IMPROVED_PROMPT_CHARACTERS.toLocaleString('en-US')} characters can be improved.`,
    ),
  ),
});

/** Decision: Improve a prompt */
const PromptImprovement = z.strictObject({
  object: z.literal('prompt_improvement'),
  /** At most as long as the model takes. */
  prompt: z.string(),
});

export const textModelEndpoints = defineEndpoints('Presets', {
  improve_prompt: {
    summary: 'Improve a prompt with the text model of a connected provider',
    body: PromptImprovementCreate,
    status: 200,
    response: PromptImprovement,
    errors: { 400: GENERATION_REQUEST_CODES, 422: INVALID_REQUEST, 503: SERVICE_UNAVAILABLE },
  },
});
