import { EngineError } from './engine.ts';
import { ResponseLostError } from './upstream.ts';

/**
 * A job succeeded and is paid for, but not all of its outputs could be saved, and trying again is no use. It needs manual
 * review; the message is the sentence for the reviewer.
 */
export class UnfetchedOutputError extends EngineError {
  /** Outputs that could be saved. */
  readonly files: readonly string[];

  constructor(message: string, files: readonly string[], cause: unknown) {
    super('engine_failed', message, { cause });
    this.files = files;
  }
}

/** Like `UnfetchedOutputError`, but the outputs may be there later. */
export class OutputLostError extends ResponseLostError {
  readonly unfetched: UnfetchedOutputError;

  constructor(unfetched: UnfetchedOutputError) {
    super(unfetched.message, { cause: unfetched.cause });
    this.unfetched = unfetched;
  }
}
