import type { MediaLengths } from '#contract/money/estimate.ts';
import type { EngineResult } from '#server/models/engine/engine.ts';
import type { SignableResult, SigningOutcome } from '#server/studio/credentials/sign-outputs.ts';
import type { UpstreamCompletion } from '#server/studio/generations/upstream/upstream-job.ts';

/** What an engine returned, before it is stored. */
export interface CompletedResult extends EngineResult, SignableResult {
  /** Of files that were signed already, by index. */
  signed?: Record<number, SigningOutcome>;
  is_spooled?: boolean;
  lengths: MediaLengths;
  /** null for local work, which can be repeated. */
  upstream: UpstreamResult | null;
}

export interface UpstreamResult {
  completion: UpstreamCompletion;
  /** Why the result needs a review even if it fits the task. */
  reviewReason: string | null;
  /** A cancel from then on came too late: the result is kept. */
  received_at: Date;
}
