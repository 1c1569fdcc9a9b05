import type { ModelId, TaskId } from '#contract/ids.ts';
import type { Rule } from '#contract/task.ts';
import type { InputOf } from '#contract/task-input.ts';
import type { MediaFileInfo } from '#server/media/probe-file.ts';
import type { UpstreamEngine } from './upstream.ts';

/** A reference of the input, already fetched to local disk and probed. */
export interface ResolvedReference {
  /** Where in the input it stands, dotted: `first_frame`, `reference_images.0`. */
  path: string;
  /** The URL as it stands in the input. */
  url: string;
  role: string | null;
  /** Absolute path of a local file inside the job folder; its name is ours. */
  file: string;
  media: MediaFileInfo;
}

export interface EngineJob {
  generation_id: string;
  task: TaskId;
  /** null for tasks without models. */
  model: ModelId | null;
  /** The task's input as stored: validated, defaults filled in. */
  input: Readonly<Record<string, unknown>>;
  references: readonly ResolvedReference[];
  /** A folder of this job alone. The engine writes its outputs here; the runner removes it. */
  work_dir: string;
  /** Aborted on cancel, deadline and shutdown. The engine must then stop every process it started. */
  signal: AbortSignal;
  /** Fraction done, 0 to 1. May be called often; the runner throttles. */
  onProgress(fraction: number): void;
}

/** A job known to be of these tasks: a union in which `task` tells the type of `input`. */
export type EngineJobOf<Task extends TaskId> = Task extends TaskId
  ? Omit<EngineJob, 'task' | 'input'> & { task: Task; input: InputOf<Task> }
  : never;

export interface EngineResult {
  /** Absolute paths of finished files in `work_dir`, in order. The runner probes each before it believes it. */
  files: readonly string[];
  /** The task's `data`, or null. */
  data: Record<string, unknown> | null;
  /** Options that the model chose where the input left it the choice (`auto`): `{ quality: 'high' }`. They decide the charge. */
  used?: Readonly<Record<string, unknown>> | undefined;
}

export interface EngineBase {
  /** Unique among the engines of an installation, and kept with what was sent to it. */
  readonly name: string;
  supports(task: TaskId, model: ModelId | null): boolean;
  /** Options that it does not support, as rules beyond those of the contract. */
  readonly restrictions?: readonly Rule[] | undefined;
}

/**
 * Does the work of a task inside this process and its job folder. It has no effect outside `work_dir`, so that a run
 * interrupted by a crash is simply run again.
 */
export interface LocalEngine extends EngineBase {
  /** @throws {EngineError} when the work can't be done; anything else is a fault of ours. */
  run(job: EngineJob): Promise<EngineResult>;
}

/** What runs a task: inside this process, or at another service. */
export type Engine = LocalEngine | UpstreamEngine;

/** The work failed for a reason the person can understand. `message` is a sentence for them. */
export class EngineError extends Error {
  /** `content_refused`: by the rules of who does the work. `model_unavailable`: it is not set up as it has to be. */
  readonly code: 'invalid_media' | 'engine_failed' | 'timeout' | 'content_refused' | 'model_unavailable';
  readonly retryable: boolean;

  constructor(code: EngineError['code'], message: string, options: { retryable?: boolean; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'EngineError';
    this.code = code;
    this.retryable = options.retryable ?? false;
  }
}
