import { EngineError } from '#server/models/engine/engine.ts';
import { MediaError } from '#server/platform/media/media-error.ts';
import { OutboundError } from '#server/platform/net/outbound-error.ts';
import { StorageError } from '#server/platform/storage/storage.ts';
import type { GenerationRow } from './read/generation-row.ts';

export type GenerationFailure = NonNullable<GenerationRow['error']>;

/** A failure that the runner found itself. `message` is shown to the person. */
export class RunError extends Error {
  readonly code: 'invalid_media' | 'media_gone' | 'model_unavailable' | 'interrupted' | 'timeout' | 'engine_failed';
  readonly retryable: boolean;

  constructor(code: RunError['code'], message: string, options: { retryable?: boolean; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'RunError';
    this.code = code;
    this.retryable = options.retryable ?? false;
  }
}

const RETRYABLE_OUTBOUND_ERRORS = {
  invalid_url: false,
  blocked: false,
  unknown_host: false,
  resolver_failed: true,
  not_connected: true,
  unreachable: true,
  timeout: true,
  bad_status: true,
  too_many_redirects: false,
  too_large: false,
} as const satisfies Record<OutboundError['code'], boolean>;

/** The failure that a generation shows; null for internal errors, whose details are not shown. */
export function toFailure(error: unknown): GenerationFailure | null {
  if (error instanceof RunError || error instanceof EngineError) {
    return { code: error.code, message: error.message, retryable: error.retryable };
  }
  if (error instanceof MediaError) {
    return { code: error.code, message: error.message, retryable: error.code !== 'invalid_media' };
  }
  if (error instanceof OutboundError) {
    return { code: 'reference_unavailable', message: error.message, retryable: RETRYABLE_OUTBOUND_ERRORS[error.code] };
  }
  if (error instanceof StorageError && error.code === 'unavailable') {
    return { code: 'media_storage_unavailable', message: error.message, retryable: true };
  }
  return null;
}

export const UNKNOWN_FAILURE: GenerationFailure = {
  code: 'internal_error',
  message: 'Something went wrong on our side. Try again, or contact support with the generation ID.',
  retryable: true,
};
