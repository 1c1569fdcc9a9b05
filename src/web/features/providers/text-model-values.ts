import { DEFAULT_TEXT_DAILY_LIMIT_USD, TEXT_MODEL_PATTERN } from '#contract/limits.ts';
import type { Provider } from '#contract/resources/provider.ts';
import type { ProviderPreset } from '#contract/resources/provider-preset.ts';

/** Fields of the text model that improves prompts. */
export interface TextModelValues {
  enabled: boolean;
  model: string;
  input_usd_per_million: string;
  output_usd_per_million: string;
  daily_limit_usd: string;
}

/** Off for a new connection, with the preset's suggestion at hand. */
export function defaultTextModel(
  { text_model }: Pick<ProviderPreset, 'text_model'>,
  provider?: Pick<Provider, 'text_model'>,
): TextModelValues {
  const chosen = provider?.text_model ?? null;
  const { model, input_usd_per_million, output_usd_per_million } = chosen ??
    text_model?.suggestion ?? { model: '', input_usd_per_million: '', output_usd_per_million: '' };
  return {
    enabled: chosen !== null,
    model,
    input_usd_per_million,
    output_usd_per_million,
    daily_limit_usd: chosen?.daily_limit_usd ?? DEFAULT_TEXT_DAILY_LIMIT_USD,
  };
}

export const isTextModelName = (typed: string): boolean => TEXT_MODEL_PATTERN.test(typed.trim());

/** The field of each part of the text model by its path in the request. */
export const TEXT_MODEL_FIELDS = {
  text_model: 'text.model',
  'text_model.model': 'text.model',
  'text_model.input_usd_per_million': 'text.input_usd_per_million',
  'text_model.output_usd_per_million': 'text.output_usd_per_million',
  'text_model.daily_limit_usd': 'text.daily_limit_usd',
} as const;
