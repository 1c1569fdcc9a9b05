import type { AddedModelVersion } from '#contract/added-models/definition.ts';
import type { ComfyCandidate } from '#contract/added-models/comfyui-candidates.ts';
import type { ChosenComfyInput } from '#contract/added-models/comfyui-schema.ts';
import type { ModelExample } from '#contract/added-models/example-files.ts';
import type { CompatibleKind } from '#contract/added-models/openai-compatible.ts';
import type { NormalizedModel } from '#contract/added-models/fields/normalize-schema.ts';
import type { NormalizeOptions } from '#contract/added-models/provider-schemas.ts';
import type { PublishedPrice } from '#contract/added-models/prices/suggest-price.ts';
import type { Json } from '#contract/json-value.ts';
import type { UpstreamAdapter } from '#server/models/engine/upstream.ts';
import type { PresetConnection } from './preset-connection.ts';

/** A model as a provider's search lists it. */
interface ModelListing {
  provider_model: string;
  name: string;
  description: string | null;
  /** Such as `text-to-video`. */
  category: string | null;
}

/** What identifies a model at its provider. */
export interface ModelAddress {
  /** As `parseAddress` returns it. */
  provider_model: string;
  /** The provider's version; null: the newest one. */
  provider_version: string | null;
  /** Of a ComfyUI workflow: the workflow in API format, and which inputs become fields; null: those that people usually change. */
  workflow?: Json | undefined;
  inputs?: readonly ChosenComfyInput[] | null | undefined;
  /** Of a model of an OpenAI-compatible server. */
  kind?: CompatibleKind | undefined;
}

/** What a provider says about a model at one moment. Its texts are untrusted. */
export interface ModelSnapshot extends ModelAddress {
  name: string;
  description: string | null;
  category: string | null;
  /** Where people read about it. */
  page_url: string | null;
  is_deprecated: boolean;
  /** null: the provider publishes none. */
  published_price: PublishedPrice | null;
  /** What the provider writes about prices beside it; null if nothing. */
  price_text: string | null;
  /** A run that the provider shows; absent if it shows none. */
  example?: ModelExample | undefined;
  /** The schema document as the provider sent it, read by `normalize`. */
  document: unknown;
}

export interface ReadModel {
  normalized: NormalizedModel;
  /** See `AddedModelVersion`. */
  provider_data: Json | null;
  /** Inputs that can become fields, where the administrator chooses them. */
  candidates?: readonly ComfyCandidate[];
  /** Those that are fields. */
  inputs?: readonly ChosenComfyInput[];
}

/** How models of a provider are added. Part of its preset. */
export interface AddedModelSource {
  /** What to enter: “Address or name, such as …”. */
  address_hint: string;
  /** Reads a model's name or the address of its page; null if it is neither. */
  parseAddress(text: string): Pick<ModelAddress, 'provider_model' | 'provider_version'> | null;
  /** Absent where the provider has no search. At most 20. @throws like `read` */
  search?(connection: PresetConnection, query: string, signal: AbortSignal): Promise<ModelListing[]>;
  /**
   * Makes calls that cost nothing.
   * @throws {ModelNotFoundError} {EngineError} if the provider rejects the key; {UpstreamBusyError} {ResponseLostError}
   */
  read(connection: PresetConnection, address: ModelAddress, signal: AbortSignal): Promise<ModelSnapshot>;
  /** @throws {SchemaError} */
  normalize(snapshot: ModelSnapshot, options: NormalizeOptions): Promise<ReadModel>;
  /** Creates the adapter without any request. */
  createAdapter(connection: PresetConnection, model: AddedModelVersion): UpstreamAdapter;
}
