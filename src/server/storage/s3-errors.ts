import { throwUnavailable } from './storage.ts';

const errorName = (error: unknown): string => (error instanceof Error ? error.name : '');

/** As GET and as HEAD say that there is no such object. To HEAD, a missing bucket looks alike. */
const MISSING_OBJECT_ERRORS = new Set(['NoSuchKey', 'NotFound']);

/** null where the store has no such object. */
export const nullIfMissing = <T>(answer: Promise<T>): Promise<T | null> =>
  answer.catch((error: unknown) => {
    if (MISSING_OBJECT_ERRORS.has(errorName(error))) return null;
    throw error;
  });

/**
 * Asks the object store for something.
 * @throws {StorageError} `unavailable` for whatever it answers instead; the signal's reason when aborted
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

/** What is wrong with the set-up, by the name of the store's refusal; anything else may pass by itself. */
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

/** The sentence for an operator whose settings are wrong; null where the store is away or anything else. */
export const findSetupProblem = (error: unknown): string | null => SETUP_PROBLEMS[errorName(error)] ?? null;
