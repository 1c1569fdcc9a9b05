import type { UpstreamJob } from '#contract/resources/review.ts';

/** The provider that received a job; for an engine of the operator’s file its name there, without its service. */
export const providerName = ({ provider, engine }: Pick<UpstreamJob, 'provider' | 'engine'>): string =>
  provider?.name ?? engine.split('/')[0] ?? engine;
