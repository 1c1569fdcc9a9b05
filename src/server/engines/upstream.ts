import type { PriceFacts } from '#contract/estimate.ts';
import type { TaskId } from '#contract/ids.ts';
import type { CostBasis } from '#contract/providers.ts';
import type { ProviderModel } from '#contract/resources/catalog.ts';
import type { ProviderStatus } from '#contract/resources/generation.ts';
import type { EngineBase, EngineJob, EngineJobOf, EngineResult } from './engine.ts';

/** What an upstream needs to be asked again: its own id, mostly. Small, plain JSON, and no secret in it. */
export type UpstreamHandle = Readonly<Record<string, unknown>>;

export interface UpstreamEngineJob extends EngineJob {
  /** The same for every submit of one generation. */
  submit_key: string;
}

/** A job known to be of these tasks. */
export type UpstreamJobOf<Task extends TaskId> = EngineJobOf<Task> & Pick<UpstreamEngineJob, 'submit_key'>;

/** A poll may come much later and in another process: the references are not fetched again, and `work_dir` is new. */
export type PolledJob = Omit<UpstreamEngineJob, 'references'>;

/**
 * What is known of a job.
 * - `accepted`: it is at work. `poll_after_ms`: what the upstream asked for, else the runner backs off on its own.
 * - `succeeded`: the outputs are in `work_dir`. `cost_micro_usd`: what the upstream charges, null where it doesn't say.
 *   `handle`: where there is one, for whoever has to look into it.
 * - `unclear`: only a person can tell what became of it. `reason`: a sentence for them; `result`: what there is to judge.
 */
export type UpstreamState =
  | {
      status: 'accepted';
      handle: UpstreamHandle;
      progress: number | null;
      provider_status?: ProviderStatus | null | undefined;
      poll_after_ms?: number | null | undefined;
    }
  | {
      status: 'succeeded';
      result: EngineResult;
      cost_micro_usd: bigint | null;
      cost_basis?: CostBasis | undefined;
      handle?: UpstreamHandle | undefined;
    }
  | {
      status: 'unclear';
      reason: string;
      result: EngineResult | null;
      cost_micro_usd?: bigint | null | undefined;
      cost_basis?: CostBasis | undefined;
      handle?: UpstreamHandle | undefined;
    };

/**
 * Another service that does the work. It submits, polls and cancels; when and how often is the runner's business, which
 * stores the handle before it polls, and polls a stored one again after a crash. An adapter neither waits nor repeats.
 */
export interface UpstreamAdapter {
  /** A repeated submit with one `submit_key` has one effect. Otherwise a submit whose answer was lost is not repeated. */
  readonly supports_submit_key: boolean;
  /**
   * `job.signal` is not aborted by a cancel: the answer is waited for, so that the job can be stopped upstream.
   * @throws {EngineError} when the upstream refuses; {UpstreamBusyError} when it took nothing and may later;
   *   {ResponseLostError} when it may have taken it. Anything else counts as `ResponseLostError`.
   */
  submit(job: UpstreamEngineJob): Promise<UpstreamState>;
  /**
   * Outputs that could not be fetched are asked for again: that is an `ResponseLostError`, no failure of the job.
   * @throws {EngineError} when the job failed; {UpstreamBusyError} and {ResponseLostError} when it can be asked again. Anything else
   *   is asked again a few times, and then left to a person.
   */
  poll(job: PolledJob, handle: UpstreamHandle): Promise<UpstreamState>;
  /** Stops a job, or does nothing where it has ended or can't be stopped. @throws like `poll` */
  cancel(handle: UpstreamHandle, signal: AbortSignal): Promise<void>;
}

export interface UpstreamEngine extends EngineBase {
  readonly adapter: UpstreamAdapter;
  /** From the first submit, across restarts. Then the job is stopped upstream and fails with `timeout`. */
  readonly deadline_ms: number;
  /** The provider connection it belongs to; undefined for engines of the operator's file. */
  readonly connection_id?: string | undefined;
  /** The model behind it, as people know it. */
  readonly provider_model?: ProviderModel | undefined;
  /** The provider's list price of a job, for jobs whose cost the adapter does not know. */
  listCost?(job: Pick<EngineJob, 'task' | 'model' | 'input'>, facts: PriceFacts): bigint | null;
}

const DEADLINE_MS = 60 * 60_000;

/** An engine whose work is done by another service. The deadline is an hour where none is given. */
export const createUpstreamEngine = (
  options: Omit<UpstreamEngine, 'deadline_ms'> & { deadline_ms?: number | undefined },
): UpstreamEngine => ({ ...options, deadline_ms: options.deadline_ms ?? DEADLINE_MS });

/** The upstream took nothing for now: a rate limit, an overload, or no connection was made. */
export class UpstreamBusyError extends Error {
  override readonly name = 'UpstreamBusyError';
  /** As the upstream asked (`Retry-After`); null where it did not. */
  readonly retry_after_ms: number | null;

  constructor(message: string, options: { retry_after_ms?: number | null; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.retry_after_ms = options.retry_after_ms ?? null;
  }
}

/** A request went out and no answer that can be understood came back. */
export class ResponseLostError extends Error {
  override readonly name = 'ResponseLostError';
}
