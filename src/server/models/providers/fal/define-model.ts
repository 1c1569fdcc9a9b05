import type { ModelId, TaskId } from '#contract/ids.ts';
import type { ModelCapability, ProviderPrice } from '#contract/providers.ts';
import type { Rule } from '#contract/task.ts';
import { createFalAdapter } from './fal-adapter.ts';
import type { BuildFalRequest } from './fal-request.ts';
import { type PresetModel, withoutMask } from '#server/models/providers/preset.ts';
import { connectFalAdapter } from './open-fal.ts';

interface FalModel {
  task: TaskId;
  model: ModelId;
  /** The endpoint for text alone, which names the model. */
  endpoint: string;
  /** All endpoints that lead to this model, for programs that name one; by default, `endpoint`. */
  endpoints?: readonly string[];
  /** Name and maker: `Seedance 2.5`, `ByteDance`. */
  name: string;
  maker: string;
  description: string;
  capabilities: readonly ModelCapability[];
  max_seconds?: number | null;
  restrictions?: readonly Rule[];
  price: Omit<ProviderPrice, 'read_on' | 'source'>;
  build: BuildFalRequest;
  /** Endpoints that `build` gives a seed: see `defineSeededFalRequest`. */
  seeded_endpoints?: readonly string[];
}

/** Day on which all prices here were read on the page of their endpoint. */
const READ_ON = '2026-11-22';
const NO_RULES: readonly Rule[] = [];

export const defineFalModel = ({ endpoint, endpoints = [endpoint], build, ...entry }: FalModel): PresetModel => ({
  task: entry.task,
  model: entry.model,
  provider_model: endpoint,
  names: endpoints,
  display: {
    name: entry.name,
    maker: entry.maker,
    description: entry.description,
    capabilities: [...entry.capabilities],
    max_seconds: entry.max_seconds ?? null,
  },
  restrictions: withoutMask(entry.task, entry.restrictions ?? NO_RULES, `fal’s ${entry.name}`),
  ...(entry.seeded_endpoints ? { own_names: ['seed'] } : {}),
  price: { ...entry.price, read_on: READ_ON, source: `https://fal.ai/models/${endpoint}/llms.txt` },
  createAdapter(connection) {
    const { seeded_endpoints } = entry;
    return createFalAdapter({
      ...connectFalAdapter(connection),
      model: endpoint,
      buildRequest: build,
      seeded_endpoints,
    });
  },
});
