import type { AddedModelId, TaskId } from '../ids.ts';
import type { Json } from '../json-value.ts';
import type { ProviderId } from '../providers.ts';
import type { NormalizedModel } from './fields/normalize-schema.ts';
import type { AddedPrice } from './prices/price-schema.ts';

/** A version of an added model, frozen when it was published. */
export interface AddedModelVersion {
  id: AddedModelId;
  version: number;
  task: TaskId;
  name: string;
  provider: ProviderId;
  /** As the provider names it. */
  provider_model: string;
  /** The provider's version, where it has versions. */
  provider_version: string | null;
  normalized: NormalizedModel;
  /** What the provider's adapter needs besides, such as a workflow. */
  provider_data: Json | null;
  /** The provider's. */
  price: AddedPrice;
  markup_percent: number;
}
