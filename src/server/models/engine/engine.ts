import type { AnyModelId, TaskId } from '#contract/ids.ts';
import type { CostBasis } from '#contract/providers.ts';
import type { OriginMark } from '#contract/resources/media.ts';
import type { MaskSpec, Rule } from '#contract/task.ts';
import type { InputOf } from '#contract/task-input.ts';
import type { MediaFileInfo } from '#server/platform/media/probe-file.ts';

export interface ResolvedReference {
  path: string;
  url: string;
  role: string | null;
  /** Absolute path in the job's temp directory; the file name is ours, never the client's. */
  file: string;
  media: MediaFileInfo;
  /** Of a mask. Upstream adapters get its file as the model reads it, others as it is stored. */
  mask?: MaskSpec | undefined;
}

export interface EngineJob {
  generation_id: string;
  task: TaskId;
  /** null for tasks without models. */
  model: AnyModelId | null;
  /** Of an added model. */
  model_version?: number | null | undefined;
  input: Readonly<Record<string, unknown>>;
  references: readonly ResolvedReference[];
  /** The job's own temp directory: the engine writes its outputs here, the runner removes it. */
  workDir: string;
  /** Aborted on cancel, deadline and shutdown. The engine must then stop every process that it started. */
  signal: AbortSignal;
  /** May be called often; the runner throttles. */
  onProgress(fraction: number): void;
}

export type EngineJobOf<Task extends TaskId> = Task extends TaskId
  ? Omit<EngineJob, 'task' | 'input'> & { task: Task; input: InputOf<Task> }
  : never;

export interface EngineResult {
  /** Absolute paths in `workDir`, in order. The runner probes each file before it trusts it. */
  files: readonly string[];
  data: Record<string, unknown> | null;
  /** Options that the model chose for `auto`: `{ quality: 'high' }`. They decide the charge. */
  used?: Readonly<Record<string, unknown>> | undefined;
  /** Units of its price that the provider bills for the whole job, where it says so. They decide the charge of added models. */
  units?: number | undefined;
  /** What the provider delivered, by file, where it was converted; in `workDir` too. */
  originals?: readonly (string | null)[] | undefined;
  /** Marks of origin of the sources that the files do not have. */
  lost_marks?: readonly OriginMark[] | undefined;
}

export interface EngineBase {
  readonly name: string;
  supports(task: TaskId, model: AnyModelId | null): boolean;
  /** Options that it does not support, as rules beyond those of the contract. */
  readonly restrictions?: readonly Rule[] | undefined;
}

/** Runs a task inside this process without effects outside `workDir`, so that it can run again after a crash. */
export interface LocalEngine extends EngineBase {
  /** @throws {EngineError} when the task can't be done; anything else is a bug */
  run(job: EngineJob): Promise<EngineResult>;
}

/** What a provider charges for a job. See `toUpstreamCost`. */
export type UpstreamCost =
  | { cost_micro_usd: bigint; cost_basis: CostBasis }
  | { cost_micro_usd: null; cost_basis: 'unreadable' };

/** A failure that the user can understand. `message` is a sentence for them. */
export class EngineError extends Error {
  /** `content_refused`: by a content filter. `model_unavailable`: the configuration or the account is wrong. */
  readonly code: 'invalid_media' | 'engine_failed' | 'timeout' | 'content_refused' | 'model_unavailable';
  readonly retryable: boolean;
  /** What the provider charges for the failed job; null if it charges nothing or that is unknown. */
  cost: UpstreamCost | null = null;

  constructor(code: EngineError['code'], message: string, options: { retryable?: boolean; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'EngineError';
    this.code = code;
    this.retryable = options.retryable ?? false;
  }
}

/** The operator's configuration does not fit the request. @param detail for the log */
export const configurationError = (detail: string): EngineError =>
  new EngineError(
    'engine_failed',
    'The configuration of this provider does not fit the request. Ask the operator to check it.',
    { cause: new Error(detail) },
  );
