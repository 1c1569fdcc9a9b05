import type { Engine } from '#server/engines/engine.ts';
import type { UpstreamEngine } from '#server/engines/upstream.ts';

export const isUpstreamEngine = (engine: Engine): engine is UpstreamEngine => 'adapter' in engine;

export const findUpstreamEngine = (engines: readonly Engine[], name: string): UpstreamEngine | undefined =>
  engines.filter(isUpstreamEngine).find((engine) => engine.name === name);
