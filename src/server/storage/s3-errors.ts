import { throwUnavailable } from './storage.ts';

const errorName = (error: unknown): string => (error instanceof Error ? error.name : '');

/** Errors of GET and HEAD for a missing object. HEAD returns the same for a missing bucket. */
const MISSING_OBJECT_ERRORS = new Set(['NoSuchKey', 'NotFound']);

/** Resolves with null if the object does not exist. */
export const nullIfMissing = <T>(answer: Promise<T>): Promise<T | null> =>
  answer.catch((error: unknown) => {
    if (MISSING_OBJECT_ERRORS.has(errorName(error))) return null;
    throw error;
  });

/**
 * Sends a command to the object store.
 * @throws {StorageError} `unavailable` for any error; the signal's reason when aborted
 */
export async function callS3<T>(
  signal: AbortSignal | undefined,
  ask: (options: { abortSignal?: AbortSignal }) => Promise<T>,
): Promise<T> {
  try {
    return await ask(signal ? { abortSignal: signal } : {});
  } catch (error) {
    signal?.throwIfAborted();
    return throwUnavailable(error);
  }
}

/** Messages for wrong settings by error name. Other errors may be temporary. */
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

/** Returns a message if the settings are wrong; null for any other error. */
export const findSetupProblem = (error: unknown): string | null => SETUP_PROBLEMS[errorName(error)] ?? null;
