import type { ModelId, TaskId } from '#contract/ids.ts';
import type { ProviderId, ProviderPrice } from '#contract/providers.ts';
import type { ModelChoice } from '#contract/resources/provider.ts';
import type { ModelDisplay } from '#contract/resources/provider-preset.ts';
import type { TextModelSuggestion } from '#contract/resources/text-model.ts';
import type { Rule, Scalar } from '#contract/task.ts';
import type { GenerateText } from '#server/models/text/text-model.ts';
import type { AddedModelSource } from './added-source.ts';
import type { BillSource } from './bill-source.ts';
import type { PresetConnection } from './preset-connection.ts';
import type { UpstreamAdapter } from '#server/models/engine/upstream.ts';

/** One task on one catalog model, as a provider runs it. */
export interface PresetModel {
  task: TaskId;
  model: ModelId;
  /** The provider's id of the model or endpoint; null if the administrator names it. */
  provider_model: string | null;
  /** What programs may call it; by default, `provider_model`. */
  names?: readonly string[];
  display: ModelDisplay;
  /** Options of the contract that the provider does not support. One array per preset, because contracts are cached by it. */
  restrictions: readonly Rule[];
  /** Options that the settings of a choice do not support, beside `restrictions`: one new array per call. */
  restrictChoice?(choice: ModelChoice): readonly Rule[];
  price: ProviderPrice;
  /** What its requests set by themselves: a field of this name would be ignored, so it has to be restricted. */
  own_names?: readonly string[];
  /**
   * Creates the adapter without any request. For polls of deselected models the settings in `choice` are missing.
   * @param choice settings of the administrator, validated by `validateChoice`
   */
  createAdapter(connection: PresetConnection, choice: ModelChoice): UpstreamAdapter;
}

/** The text models of a provider, of which the administrator chooses one. */
interface PresetText {
  /** null: the administrator knows which models the server has. */
  suggestion: TextModelSuggestion | null;
  /** Does not make any request. */
  createGenerate(connection: PresetConnection): GenerateText;
}

/** What the service knows about a provider: data, a free call that tests a key, and its models. */
export interface ProviderPreset {
  id: ProviderId;
  name: string;
  /** One line that says what a key for it brings. */
  description: string;
  key: 'required' | 'optional' | 'none';
  key_url: string | null;
  terms_url: string | null;
  /** Environment variables that usually hold a key, the most specific first. */
  environment_variables: readonly string[];
  /** The environment variable with which the provider’s own libraries replace its address, for a gateway. */
  address_variable?: string;
  /** null: the administrator enters the address. */
  default_address: string | null;
  /** Setting that each model needs beside the key. */
  model_setting?: 'model' | 'workflow' | undefined;
  models: readonly PresetModel[];
  /** Whether the provider can draw a visible mark on what it makes. */
  has_visible_watermark?: true;
  /** Absent for a provider without text models. */
  text?: PresetText;
  /** Absent for a provider whose bills can't be read. */
  bills?: BillSource;
  /** Absent for a provider whose models can't be added. */
  added?: AddedModelSource;
  /**
   * Makes a call that costs nothing and needs the key.
   * @returns a sentence with what the provider responded
   * @throws {EngineError} {UpstreamBusyError} {ResponseLostError} if the key does not work or the server is not usable
   */
  check(connection: PresetConnection, signal: AbortSignal): Promise<string>;
  /** @returns a sentence about a setting of a model that cannot work; null if all is well */
  validateChoice?(choice: ModelChoice): string | null;
}

/** Restricts a field to some values in all cases. @param anchor a field that every input of the task has */
export const onlyValues = (anchor: string, field: string, allow: readonly Scalar[], message: string): Rule => ({
  when: { field: anchor, present: true },
  field,
  allow,
  message,
});

/** Limits a list of references in all cases. @param anchor a field that every input of the task has */
export const maxItems = (anchor: string, field: string, max_items: number, message: string): Rule => ({
  when: { field: anchor, present: true },
  field,
  max_items,
  message,
});

/** Adds to the restrictions of a model that its provider takes no mask. @param provider “fal’s GPT Image 2” */
export const withoutMask = (task: TaskId, restrictions: readonly Rule[], provider: string): readonly Rule[] =>
  task === 'image.edit'
    ? [
        ...restrictions,
        onlyValues('prompt', 'mask', [null], `${provider} takes no mask here. Describe what to change.`),
      ]
    : restrictions;
