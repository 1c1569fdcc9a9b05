import type { UpstreamJob } from '#contract/resources/review.ts';

/** Returns the operator's name of the provider; the text after the slash names its service. */
export const engineName = ({ engine }: Pick<UpstreamJob, 'engine'>): string => engine.split('/')[0] ?? engine;
