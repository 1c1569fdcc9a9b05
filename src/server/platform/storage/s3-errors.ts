import type { S3Settings } from '#server/platform/core/settings/config.ts';
import { throwUnavailable } from './storage.ts';

const errorName = (error: unknown): string => (error instanceof Error ? error.name : '');

/** The errors of GET and HEAD. HEAD reports a missing bucket the same way. */
const MISSING_OBJECT_ERRORS = new Set(['NoSuchKey', 'NotFound']);

export const nullIfMissing = <T>(response: Promise<T>): Promise<T | null> =>
  response.catch((error: unknown) => {
    if (MISSING_OBJECT_ERRORS.has(errorName(error))) return null;
    throw error;
  });

/** A person waits for most calls, and for their repetitions. */
export const ANSWER_TIMEOUT_MS = 12_000;

/**
 * @param answerMs limits the call with its repetitions; null: each try has the limits of the transport
 * @throws {StorageError} `unavailable` for any error; the signal's reason when aborted
 */
export async function callS3<T>(
  signal: AbortSignal | undefined,
  send: (options: { abortSignal: AbortSignal }) => Promise<T>,
  answerMs: number | null = null,
): Promise<T> {
  const late = new AbortController();
  const expire = () => late.abort(new Error(`The object store did not respond in ${answerMs} ms.`));
  const timer = answerMs === null ? undefined : setTimeout(expire, answerMs);
  try {
    return await send({ abortSignal: signal ? AbortSignal.any([signal, late.signal]) : late.signal });
  } catch (error) {
    signal?.throwIfAborted();
    return throwUnavailable(error);
  } finally {
    clearTimeout(timer);
  }
}

/** Errors of the configuration; any other error may be temporary. */
const SETUP_PROBLEMS: Readonly<Record<string, string>> = {
  NoSuchBucket: 'S3_BUCKET does not exist in the store at S3_ENDPOINT.',
  InvalidAccessKeyId: 'S3_ACCESS_KEY_ID is not known to the store at S3_ENDPOINT.',
  SignatureDoesNotMatch: 'S3_SECRET_ACCESS_KEY does not belong to S3_ACCESS_KEY_ID.',
  AccessDenied: 'The key in S3_ACCESS_KEY_ID is not allowed to write to the bucket in S3_BUCKET.',
  AllAccessDisabled: 'The key in S3_ACCESS_KEY_ID is not allowed to write to the bucket in S3_BUCKET.',
  PermanentRedirect: 'S3_REGION and S3_ENDPOINT do not match the bucket in S3_BUCKET.',
  AuthorizationHeaderMalformed: 'S3_REGION is not the region of the bucket in S3_BUCKET.',
  InvalidBucketName: 'S3_BUCKET is not the name of a bucket.',
};

/** The same without S3_ACCESS_KEY_ID. */
const CHAIN_PROBLEMS: Readonly<Record<string, string>> = {
  ...SETUP_PROBLEMS,
  CredentialsProviderError:
    'No credentials for S3_BUCKET were found: set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or provide AWS credentials by variables, a profile or a role.',
  InvalidAccessKeyId: 'The AWS credentials that were found are not known to the store at S3_ENDPOINT.',
  InvalidToken: 'The AWS credentials that were found are not known to the store at S3_ENDPOINT.',
  SignatureDoesNotMatch: 'The secret of the AWS credentials that were found does not belong to their key.',
  AccessDenied: 'The AWS credentials that were found are not allowed to write to the bucket in S3_BUCKET.',
  AllAccessDisabled: 'The AWS credentials that were found are not allowed to write to the bucket in S3_BUCKET.',
};

/** @returns null when the settings are not at fault */
export const findSetupProblem = (error: unknown, { accessKey }: Pick<S3Settings, 'accessKey'>): string | null =>
  (accessKey ? SETUP_PROBLEMS : CHAIN_PROBLEMS)[errorName(error)] ?? null;
