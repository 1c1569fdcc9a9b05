import { defaultTextModel, type TextModelValues } from './text-model-values.ts';
import { formatUsd, parseUsd } from '#contract/money/money.ts';
import type { ModelChoice, Provider } from '#contract/resources/provider.ts';
import type { PresetModel, ProviderPreset } from '#contract/resources/provider-preset.ts';

/** Values of the form that chooses models and their prices. */
export interface ModelChoiceValues {
  /** By `modelKey`. */
  selected: Record<string, boolean>;
  /** By `modelKey`: the name of the model, or the workflow, where the provider needs one. */
  settings: Record<string, string>;
  pricing: 'keep' | 'markup';
  markup_percent: number | null;
}

/** Values of the form of a connection; the first three are entered for a new one only. */
export interface ProviderFormValues extends ModelChoiceValues {
  key: string;
  key_source: 'typed' | 'environment';
  address: string;
  visible_watermark: boolean;
  text: TextModelValues;
}

const DEFAULT_MARKUP_PERCENT = 20;

/** A name for form fields: react-hook-form reads points as paths. */
export const modelKey = ({ task, model }: Pick<PresetModel, 'task' | 'model'>): string =>
  `${task}/${model}`.replaceAll('.', '_');

/** Whether a provider has a price per result. One’s own server has none, so there is no cost to compare or to add to. */
export const hasListPrice = ({ price }: Pick<PresetModel, 'price'>): boolean => /[1-9]/.test(price.unit_price_usd);

/** Whether a model that no other provider runs costs more for a typical request than is charged today. */
const losesMoney = ({ typical, used_by }: Pick<PresetModel, 'typical' | 'used_by'>): boolean =>
  used_by === null && parseUsd(typical.price_usd) < parseUsd(typical.cost_usd);

/** Number of selected models that lose money at the prices of the form. */
export const countLosses = (preset: ProviderPreset, values: ModelChoiceValues): number =>
  preset.models.filter((entry) => values.selected[modelKey(entry)] && typicalPrice(entry, values).isLoss).length;

/** All models, or those of an existing connection. */
export function defaultChoices(preset: ProviderPreset, provider?: Provider): ModelChoiceValues {
  const keys = preset.models.map(modelKey);
  const chosen = provider?.models.flatMap(({ task, model, ...rest }) =>
    model ? [{ ...rest, key: modelKey({ task, model }) }] : [],
  );
  const markup = chosen?.find(({ markup_percent }) => markup_percent !== null)?.markup_percent ?? null;
  const needsSetting = preset.model_setting !== null;
  return {
    selected: Object.fromEntries(
      keys.map((key, index) => [
        key,
        chosen ? chosen.some((choice) => choice.key === key) : !needsSetting && preset.models[index]?.used_by === null,
      ]),
    ),
    settings: Object.fromEntries(
      keys.map((key) => [
        key,
        (preset.model_setting === 'model' && chosen?.find((choice) => choice.key === key)?.provider_model) || '',
      ]),
    ),
    pricing:
      preset.models.some(hasListPrice) && (markup !== null || (!provider && preset.models.some(losesMoney)))
        ? 'markup'
        : 'keep',
    markup_percent: markup ?? DEFAULT_MARKUP_PERCENT,
  };
}

/** What the form of a new connection, or of an existing one, begins with. */
export const defaultValues = (preset: ProviderPreset, provider?: Provider): ProviderFormValues => ({
  key: '',
  key_source: preset.environment_key === null ? 'typed' : 'environment',
  address: '',
  visible_watermark: provider?.visible_watermark ?? false,
  text: defaultTextModel(preset, provider),
  ...defaultChoices(preset, provider),
});

/** The request for the selected models. */
export const toModelChoices = (preset: ProviderPreset, values: ModelChoiceValues): ModelChoice[] =>
  preset.models
    .filter((entry) => values.selected[modelKey(entry)])
    .map(({ task, model, ...entry }) => {
      const setting = values.settings[modelKey({ task, model, ...entry })]?.trim();
      return {
        task,
        model,
        markup_percent: values.pricing === 'markup' ? values.markup_percent : null,
        ...(preset.model_setting === 'model' && setting ? { provider_model: setting } : {}),
        ...(preset.model_setting === 'workflow' && setting ? { workflow: setting } : {}),
      };
    });

/** Price and margin of a typical request: as now, or at the provider's price plus a percentage. */
export function typicalPrice(
  { typical }: Pick<PresetModel, 'typical'>,
  { pricing, markup_percent }: Pick<ModelChoiceValues, 'pricing' | 'markup_percent'>,
): { price_usd: string; margin_usd: string; isLoss: boolean } {
  const cost = parseUsd(typical.cost_usd);
  const price =
    pricing === 'markup' && markup_percent !== null
      ? (cost * BigInt(100 + Math.round(markup_percent)) + 99n) / 100n
      : parseUsd(typical.price_usd);
  return { price_usd: formatUsd(price), margin_usd: formatUsd(price - cost), isLoss: price < cost };
}

/** The field of each setting by its path in the request: `models.0.workflow`. */
export const settingFields = (models: readonly ModelChoice[]): Record<string, `settings.${string}`> =>
  Object.fromEntries(
    models.flatMap((choice, index) =>
      ['workflow', 'provider_model'].map(
        (name) => [`models.${index}.${name}`, `settings.${modelKey(choice)}`] as const,
      ),
    ),
  );

/** Keys of models whose workflow is stored; the service does not return it. */
export const storedWorkflows = (preset: ProviderPreset, provider: Provider): ReadonlySet<string> =>
  new Set(
    preset.model_setting === 'workflow'
      ? provider.models.flatMap(({ task, model }) => (model ? [modelKey({ task, model })] : []))
      : [],
  );
