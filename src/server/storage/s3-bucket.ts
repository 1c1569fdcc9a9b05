import { S3 } from '@aws-sdk/client-s3';
import type { S3Settings } from '#server/core/config.ts';
import type { ServicePool } from '#server/net/service-pool.ts';
import { createS3Handler } from './s3-handler.ts';

/** Prefix of our objects. Other objects in the bucket are ignored. */
export const OBJECT_PREFIX = 'media/';

/** A bucket and its client. */
export interface Bucket {
  readonly s3: S3;
  readonly name: string;
  /** Returns the object key in the bucket. */
  locate(this: void, key: string): { Bucket: string; Key: string };
}

/** @param pool connections to the origin of `settings.endpoint` */
export function openBucket(settings: S3Settings, pool: ServicePool): Bucket {
  const { endpoint, region, bucket: name, access_key_id: accessKeyId, secret_access_key: secretAccessKey } = settings;
  const s3 = new S3({
    endpoint,
    region,
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
    requestHandler: createS3Handler(pool),
    maxAttempts: 3,
    // Other stores may support only the checksum of the signature, which covers the whole request.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    expectContinueHeader: false,
  });
  return { s3, name, locate: (key) => ({ Bucket: name, Key: OBJECT_PREFIX + key }) };
}
