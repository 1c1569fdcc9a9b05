import type { OfferingSource } from '#server/models/catalog/offering.ts';
import type { Engine, UpstreamEngine } from '#server/models/engine/upstream.ts';

export const isUpstreamEngine = (engine: Engine): engine is UpstreamEngine => 'adapter' in engine;

/** Finds the engine that received a job; it may be a connection that another process has just made. */
export async function findUpstreamEngine(offering: OfferingSource, name: string): Promise<UpstreamEngine | undefined> {
  const find = (engines: readonly Engine[]) => engines.filter(isUpstreamEngine).find((engine) => engine.name === name);
  return find(offering.current().engines) ?? find((await offering.refresh()).engines);
}
