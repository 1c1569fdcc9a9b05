import type { ModelId, TaskId } from '#contract/ids.ts';
import type { ModelCapability, ProviderPrice } from '#contract/providers.ts';
import type { Rule } from '#contract/task.ts';
import { createFalAdapter } from './fal-adapter.ts';
import type { BuildFalRequest } from './fal-request.ts';
import type { PresetModel } from '#server/models/providers/preset.ts';
import { openFal } from './open-fal.ts';

interface FalModel {
  task: TaskId;
  model: ModelId;
  /** The endpoint for text alone, which names the model. */
  endpoint: string;
  /** Name and maker: `Seedance 2.5`, `ByteDance`. */
  name: string;
  maker: string;
  description: string;
  capabilities: readonly ModelCapability[];
  max_seconds?: number | null;
  restrictions?: readonly Rule[];
  price: Omit<ProviderPrice, 'read_on' | 'source'>;
  build: BuildFalRequest;
  /** Endpoints that `build` gives a seed. */
  seeded_endpoints?: readonly string[];
}

/** Day on which all prices here were read on the page of their endpoint. */
const READ_ON = '2026-11-22';
/** References and results are public links. They stay long enough for a manual review. */
const EXPIRE_AFTER_SECONDS = 7 * 86_400;
const NO_RULES: readonly Rule[] = [];

export const defineFalModel = ({ endpoint, build, ...entry }: FalModel): PresetModel => ({
  task: entry.task,
  model: entry.model,
  provider_model: endpoint,
  display: {
    name: entry.name,
    maker: entry.maker,
    description: entry.description,
    capabilities: [...entry.capabilities],
    max_seconds: entry.max_seconds ?? null,
  },
  restrictions: entry.restrictions ?? NO_RULES,
  price: { ...entry.price, read_on: READ_ON, source: `https://fal.ai/models/${endpoint}/llms.txt` },
  createAdapter(connection) {
    const { queue, platform, storage_url } = openFal(connection);
    return createFalAdapter({
      service: queue,
      platform,
      storage_url,
      api_key: connection.api_key ?? '',
      model: endpoint,
      buildRequest: build,
      seeded_endpoints: entry.seeded_endpoints,
      // Not every endpoint takes data URLs; every one takes fal's own links.
      max_data_url_bytes: 0,
      expire_after_seconds: EXPIRE_AFTER_SECONDS,
      deadlineMs: connection.deadlineMs,
    });
  },
});
