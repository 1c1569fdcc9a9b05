import type { EngineJob, EngineResult } from './engine.ts';

/** What an upstream needs to be asked again: its own id, mostly. Small, plain JSON, and no secret in it. */
export type UpstreamHandle = Readonly<Record<string, unknown>>;

export interface UpstreamJob extends EngineJob {
  /** The same for every submit of one generation. */
  submit_key: string;
}

/**
 * What is known of a job.
 * - `accepted`: it is at work. `poll_after_ms`: what the upstream asked for, else the runner backs off on its own.
 * - `succeeded`: the outputs are in `work_dir`. `cost_micro_usd`: what the upstream charges, null where it doesn't say.
 * - `unclear`: only a person can tell what became of it. `reason`: a sentence for them; `result`: what there is to judge.
 */
export type UpstreamState =
  | { status: 'accepted'; handle: UpstreamHandle; progress: number | null; poll_after_ms?: number | undefined }
  | { status: 'succeeded'; result: EngineResult; cost_micro_usd: bigint | null }
  | { status: 'unclear'; reason: string; result: EngineResult | null };

/**
 * Another service that does the work. It submits, polls and cancels; when and how often is the runner's business, which
 * stores the handle before it polls, and polls a stored one again after a crash.
 */
export interface UpstreamAdapter {
  /** A repeated submit with one `submit_key` has one effect. Otherwise a submit whose answer was lost is not repeated. */
  readonly takes_submit_key: boolean;
  /**
   * @throws {EngineError} when the upstream refuses; {UpstreamBusy} when it took nothing and may later;
   *   {AnswerLost} when it may have taken it
   */
  submit(job: UpstreamJob): Promise<UpstreamState>;
  /** @throws {EngineError} when the job failed; {UpstreamBusy} and {AnswerLost} when it can be asked again */
  poll(job: UpstreamJob, handle: UpstreamHandle): Promise<UpstreamState>;
  /** Stops a job, or does nothing where it has ended or can't be stopped. @throws like `poll` */
  cancel(handle: UpstreamHandle, signal: AbortSignal): Promise<void>;
}

/** The upstream took nothing for now: a rate limit, an overload, or no connection was made. */
export class UpstreamBusy extends Error {
  override readonly name = 'UpstreamBusy';
  /** As the upstream asked (`Retry-After`); null where it did not. */
  readonly retry_after_ms: number | null;

  constructor(message: string, options: { retry_after_ms?: number | null; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.retry_after_ms = options.retry_after_ms ?? null;
  }
}

/** A request went out and no answer that can be understood came back. */
export class AnswerLost extends Error {
  override readonly name = 'AnswerLost';
}
