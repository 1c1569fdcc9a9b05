import type { UpstreamJob } from '#contract/resources/review.ts';

/** What the operator calls the service; what of it is used follows after a stroke. */
export const engineName = ({ engine }: Pick<UpstreamJob, 'engine'>): string => engine.split('/')[0] ?? engine;
