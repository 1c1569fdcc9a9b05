import type { BodyOf, ResponseOf } from '#contract/api/endpoints.ts';
import type { InputContract } from '#contract/task.ts';
import { MAX_IMPROVED_PROMPT_CHARACTERS } from '#contract/limits.ts';
import { offeredContract } from '#server/models/catalog/offering.ts';
import { validateTaskAndModel } from '#server/models/catalog/validate-request.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { consumeRateLimit, createRateLimiter } from '#server/accounts/rate-limits/rate-limiter.ts';
import type { Deps } from '#server/platform/deps.ts';
import { computeMaxTextCost } from '#server/models/text/text-cost.ts';
import { assertInScope } from '#server/accounts/keys/assert-in-scope.ts';
import { reserveTextCall } from '#server/models/connections/text-model-calls.ts';
import { callTextModel } from './call-text-model.ts';
import { findInstructions } from './instructions.ts';

type ImprovePrompt = (
  caller: Caller,
  body: BodyOf<'improve_prompt'>,
  signal: AbortSignal,
) => Promise<ResponseOf<'improve_prompt'>>;

const IMPROVEMENTS_PER_MINUTE = 20;
/** Per process and organization. */
const MAX_CONCURRENT = 4;
/** Enough for a prompt of the greatest length in most scripts. */
const MAX_OUTPUT_TOKENS = 4_000;
const TIMEOUT_MS = 20_000;

/** Creates a function that improves prompts with the text model in use. Decision: Improve a prompt */
export function createPromptImprover(deps: Deps): ImprovePrompt {
  const limiter = createRateLimiter(deps, {
    name: 'improve_prompt',
    points: IMPROVEMENTS_PER_MINUTE,
    window_seconds: 60,
  });
  const running = new Map<string, number>();

  /** @throws {ApiError} 400, 401, 422, 429, 503 */
  return async (caller, body, signal) => {
    const { task, model } = validateTaskAndModel(deps, caller, body.task, body.model);
    assertInScope(caller, { task, model });
    const textModel = deps.offering.current().text_model;
    if (!textModel) throw new ApiError('model_unavailable', 'No text model is connected to this service.');
    const contract = offeredContract(deps.offering.current(), task, model);
    const instructions = findInstructions(task);
    const maxLength = findPromptLength(contract);
    if (instructions === null || maxLength === null) throw invalid('task', `Prompts of ${task} can’t be improved.`);
    const text = body.prompt.trim();
    if ([...text].length > maxLength)
      throw invalid('prompt', `This model takes prompts of at most ${maxLength.toLocaleString('en-US')} characters.`);
    const { organization_id } = caller;
    await consumeRateLimit(limiter, organization_id);
    const count = running.get(organization_id) ?? 0;
    if (count >= MAX_CONCURRENT)
      throw new ApiError('rate_limit_exceeded', 'Too many prompts are being improved. Try again in a moment.', {
        retry_after_seconds: 5,
      });
    running.set(organization_id, count + 1);
    try {
      const request = { instructions, text, max_output_tokens: MAX_OUTPUT_TOKENS, timeoutMs: TIMEOUT_MS, signal };
      const maxCostMicroUsd = computeMaxTextCost(textModel.settings, request);
      const callId = await reserveTextCall(deps, caller, textModel, {
        task,
        model,
        max_cost_micro_usd: maxCostMicroUsd,
      });
      const answer = await callTextModel(deps, textModel, callId, request);
      const prompt = cleanAnswer(answer, maxLength);
      if (prompt === '') throw unusable('The text model returned no prompt. Try again.');
      return { object: 'prompt_improvement', prompt };
    } finally {
      const left = (running.get(organization_id) ?? 1) - 1;
      if (left > 0) running.set(organization_id, left);
      else running.delete(organization_id);
    }
  };
}

const invalid = (path: string, message: string): ApiError =>
  new ApiError('invalid_request', message, { status: 422, details: [{ path, message }] });

const unusable = (message: string): ApiError => new ApiError('service_unavailable', message);

/** The greatest length of the prompt; null: the task has none. */
function findPromptLength(contract: InputContract | undefined): number | null {
  const field = contract?.fields.find(({ name }) => name === 'prompt');
  if (field?.kind !== 'text') return null;
  return Math.min(field.max_length ?? MAX_IMPROVED_PROMPT_CHARACTERS, MAX_IMPROVED_PROMPT_CHARACTERS);
}

const QUOTES: Readonly<Record<string, string>> = { '"': '"', '“': '”', '„': '“', '«': '»', '`': '`' };

/** Removes what models put around an answer: fences of code, or one pair of quotes. */
function unwrap(text: string): string {
  const fenced = /^```\w*\n(.*?)\n?```$/s.exec(text)?.[1] ?? text;
  const trimmed = fenced.trim();
  const closing = QUOTES[trimmed[0] ?? ''];
  const inner = trimmed.slice(1, -1);
  const isQuoted = closing !== undefined && trimmed.length > 1 && trimmed.endsWith(closing);
  return isQuoted && !inner.includes(closing) && !inner.includes(trimmed[0] ?? '') ? inner.trim() : trimmed;
}

/**
 * Makes the answer of a text model a prompt: plain text without control characters, cut to a number of characters.
 * @param max_length in Unicode code points
 */
export function cleanAnswer(answer: string, max_length: number): string {
  // Joiners are part of emoji and of some scripts, so only characters that control are removed.
  const text = unwrap(
    answer
      .replaceAll('\r\n', '\n')
      .replaceAll(/[^\P{Cc}\n\t]/gu, '')
      .trim(),
  );
  const characters = [...text.toWellFormed()];
  return characters.length > max_length ? characters.slice(0, max_length).join('').trimEnd() : characters.join('');
}
