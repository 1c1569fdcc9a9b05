import type { ModelChoice } from '#contract/resources/provider.ts';
import type { TextModel } from '#contract/resources/text-model.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { ProviderPreset } from '#server/models/providers/preset.ts';
import { findPresetModel } from '#server/models/providers/presets.ts';

export const invalidSetting = (path: string, message: string, status: 400 | 422 = 422): ApiError =>
  new ApiError('invalid_request', message, { status, details: [{ path, message }] });

export interface ConnectionSettings {
  models: readonly ModelChoice[];
  text_model: TextModel | null;
  visible_watermark: boolean;
}

/** @throws {ApiError} 422 */
export function validateSettings(
  preset: ProviderPreset,
  { models, text_model, visible_watermark }: ConnectionSettings,
): void {
  if (visible_watermark && !preset.has_visible_watermark)
    throw invalidSetting('visible_watermark', `${preset.name} has no visible watermark to turn on.`);
  if (text_model !== null && !preset.text)
    throw invalidSetting('text_model', `${preset.name} has no text model that this service can use.`);
  // One whose models can be added is useful without a built-in one.
  if (models.length === 0 && text_model === null && !preset.added)
    throw invalidSetting('models', 'Select at least one model.');
  validateChoices(preset, models);
}

/** @throws {ApiError} 422 */
function validateChoices(preset: ProviderPreset, choices: readonly ModelChoice[]): void {
  const seen = new Set<string>();
  for (const [index, choice] of choices.entries()) {
    const path = `models.${index}`;
    const pair = `${choice.task} ${choice.model}`;
    if (!findPresetModel(preset, choice.task, choice.model))
      throw invalidSetting(`${path}.model`, `${preset.name} does not run ${choice.task} on ${choice.model}.`);
    if (seen.has(pair)) throw invalidSetting(`${path}.model`, `${choice.model} is listed twice for ${choice.task}.`);
    seen.add(pair);
    const setting = preset.model_setting === 'workflow' ? 'workflow' : 'provider_model';
    if (preset.model_setting && choice[setting] === undefined)
      throw invalidSetting(
        `${path}.${setting}`,
        setting === 'workflow' ? 'Add the workflow in API format.' : 'Enter the name of the model at the server.',
      );
    const problem = preset.validateChoice?.(choice) ?? null;
    if (problem !== null) throw invalidSetting(`${path}.${setting}`, problem);
  }
}
