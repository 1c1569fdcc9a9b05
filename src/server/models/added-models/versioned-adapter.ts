import { quoteVersion, type OrderFacts } from '#contract/money/price-order.ts';
import type { Json } from '#contract/json-value.ts';
import { configurationError } from '#server/models/engine/engine.ts';
import type { PolledJob, UpstreamAdapter } from '#server/models/engine/upstream.ts';
import type { AddedModel, ServedVersion } from './added-models.ts';

/**
 * Runs each job with the version of the model that it was ordered with, so that an update changes no order.
 * @param create makes the adapter of a version, without any request
 */
export function createVersionedAdapter(
  { id, current, versions }: AddedModel,
  create: (version: ServedVersion) => UpstreamAdapter,
): UpstreamAdapter {
  const adapters = new Map<number, UpstreamAdapter>();
  const adapterOf = (version: ServedVersion): UpstreamAdapter => {
    const adapter = adapters.get(version.version) ?? create(version);
    adapters.set(version.version, adapter);
    return adapter;
  };
  const ofJob = ({ model_version }: Pick<PolledJob, 'model_version'>): UpstreamAdapter => {
    const version = model_version == null ? current : versions.get(model_version);
    if (!version) throw configurationError(`${id} has no version ${model_version}`);
    return adapterOf(version);
  };
  const newest = adapterOf(current);
  return {
    supports_submit_key: newest.supports_submit_key,
    submit: async (job) => ofJob(job).submit(job),
    poll: async (job, handle) => ofJob(job).poll(job, handle),
    findLostSubmit: async (job) => (await ofJob(job).findLostSubmit?.(job)) ?? null,
    // What is canceled is in the handle.
    cancel: (handle, signal) => newest.cancel(handle, signal),
  };
}

/** What the provider charges by its published price; null if that is not known. */
export function listCost(
  { current, versions }: AddedModel,
  modelVersion: number | null | undefined,
  input: Json,
  facts: OrderFacts,
): bigint | null {
  const version = modelVersion == null ? current : versions.get(modelVersion);
  const quoted = version && quoteVersion({ ...version, price: version.definition.price }, input, facts);
  return quoted?.basis === 'exact' ? quoted.amount_micro_usd : null;
}
