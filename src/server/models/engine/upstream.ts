import type { OrderFacts } from '#contract/money/price-order.ts';
import type { TaskId } from '#contract/ids.ts';
import type { JobCostBasis } from '#contract/providers.ts';
import type { ProviderModel } from '#contract/resources/catalog.ts';
import type { ProviderStatus } from '#contract/resources/generation.ts';
import type { EngineBase, EngineJob, EngineJobOf, EngineResult, LocalEngine } from './engine.ts';

/** What polling needs: usually the provider's job id. Small, plain JSON without secrets. */
export type UpstreamHandle = Readonly<Record<string, unknown>>;

export interface UpstreamEngineJob extends EngineJob {
  /** The same for every submit of one generation. */
  submit_key: string;
  /** Takes the provider's id of the request, where the response is the result and no handle has one. */
  onRequestId?(id: string | null | undefined): void;
}

export type UpstreamJobOf<Task extends TaskId> = EngineJobOf<Task> &
  Pick<UpstreamEngineJob, 'submit_key' | 'onRequestId'>;

/** A poll may happen much later and in another process: without references, and with a new `workDir`. */
export type PolledJob = Omit<UpstreamEngineJob, 'references'>;

/**
 * - `accepted`: without `pollAfterMs` the runner backs off. `cost_micro_usd`: null when unknown.
 * - `unclear`: needs manual review. `reason`: a sentence for the reviewer; `result`: the outputs so far.
 */
export type UpstreamState =
  | {
      status: 'accepted';
      handle: UpstreamHandle;
      progress: number | null;
      provider_status?: ProviderStatus | null | undefined;
      pollAfterMs?: number | null | undefined;
    }
  | {
      status: 'succeeded';
      result: EngineResult;
      cost_micro_usd: bigint | null;
      cost_basis?: JobCostBasis | undefined;
      handle?: UpstreamHandle | undefined;
    }
  | {
      status: 'unclear';
      reason: string;
      result: EngineResult | null;
      cost_micro_usd?: bigint | null | undefined;
      cost_basis?: JobCostBasis | undefined;
      handle?: UpstreamHandle | undefined;
    };

/**
 * The runner decides when to call and stores the handle before the first poll; an adapter neither waits nor retries.
 */
export interface UpstreamAdapter {
  /** Whether submits with one `submit_key` create one job; if not, a submit whose response was lost is not repeated. */
  readonly supports_submit_key: boolean;
  /**
   * A cancel does not abort `job.signal`: the runner waits for the response, so that it can cancel the job upstream.
   * @throws {EngineError} when rejected; {UpstreamBusyError} when not accepted now; else as {ResponseLostError}
   */
  submit(job: UpstreamEngineJob): Promise<UpstreamState>;
  /**
   * An output that can't be fetched is an `UnfetchedOutputError` or an `OutputLostError`. @throws {EngineError} when the job failed, with its cost if that is known;
   * {UpstreamBusyError} and {ResponseLostError} when polling can be retried; else manual review after a few retries
   */
  poll(job: PolledJob, handle: UpstreamHandle): Promise<UpstreamState>;
  /**
   * Looks for a job whose submit had no response; null unless exactly one is certainly this one. @throws like `poll`
   */
  findLostSubmit?(job: LostSubmit): Promise<UpstreamHandle | null>;
  /**
   * Cancels a job; does nothing if it is complete or can't be canceled. The runner polls it afterwards, because it may
   * complete or be charged for nevertheless.
   * @throws like `poll`
   */
  cancel(handle: UpstreamHandle, signal: AbortSignal): Promise<void>;
}

export interface LostSubmit extends Pick<
  UpstreamEngineJob,
  'task' | 'model' | 'model_version' | 'input' | 'submit_key' | 'signal'
> {
  submitted_at: Date;
}

export interface UpstreamEngine extends EngineBase {
  readonly adapter: UpstreamAdapter;
  /** Counts from the first submit, across restarts. Then the job is canceled and fails with `timeout`. */
  readonly deadlineMs: number;
  /** The provider connection it belongs to; undefined for engines of the operator's file. */
  readonly connection_id?: string | undefined;
  readonly provider_model?: ProviderModel | undefined;
  /** The provider's list price of a job, for jobs whose cost the adapter does not know. */
  listCost?(job: Pick<EngineJob, 'task' | 'model' | 'model_version' | 'input'>, facts: OrderFacts): bigint | null;
}

export type Engine = LocalEngine | UpstreamEngine;

const DEFAULT_DEADLINE_MS = 60 * 60_000;

export const createUpstreamEngine = (
  options: Omit<UpstreamEngine, 'deadlineMs'> & { deadlineMs?: number | undefined },
): UpstreamEngine => ({ ...options, deadlineMs: options.deadlineMs ?? DEFAULT_DEADLINE_MS });

export class UpstreamBusyError extends Error {
  override readonly name = 'UpstreamBusyError';
  /** From `Retry-After`; null when absent. */
  readonly retry_after_ms: number | null;

  constructor(message: string, options: { retry_after_ms?: number | null; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.retry_after_ms = options.retry_after_ms ?? null;
  }
}

export class ResponseLostError extends Error {
  override readonly name = 'ResponseLostError';
}

/** Runs requests that precede a submit, such as uploads: when a response is lost there, no job exists yet. */
export async function beforeSubmit<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ResponseLostError ? new UpstreamBusyError(error.message, { cause: error }) : error;
  }
}

export const unreadableResponseError = (cause?: unknown): ResponseLostError =>
  new ResponseLostError('The provider returned an unreadable response.', { cause });
