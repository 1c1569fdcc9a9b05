import { rejectedPromptError } from '../comfyui/prompt-errors.ts';
import { ResponseLostError } from '../upstream.ts';
import { ProviderAccountError, type UpstreamErrorResponse } from '../upstream-errors.ts';

/** A 429 means an unpaid subscription or too many requests; only its message tells. */
export function mapCloudError(response: UpstreamErrorResponse, redact: (text: string) => string): Error | null {
  const { status, message, cause } = response;
  if (status === 400) return rejectedPromptError(response, redact);
  if (status !== 429 || !/subscri|unpaid|not paid|payment|inactive/i.test(message ?? '')) return null;
  return new ProviderAccountError(
    'Comfy Cloud needs an active subscription. Ask the operator to check the account.',
    cause,
  );
}

export const unknownJobError = ({ status, cause }: UpstreamErrorResponse): Error | null =>
  status === 404 ? new ResponseLostError('Comfy Cloud does not know this job.', { cause }) : null;
