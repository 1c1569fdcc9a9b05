import { S3 } from '@aws-sdk/client-s3';
import type { S3Settings } from '#server/core/config.ts';
import type { ServicePool } from '#server/net/service-pool.ts';
import { createS3Handler } from './s3-handler.ts';

/** Everything else in the bucket is left alone. */
export const OBJECT_PREFIX = 'media/';

export interface Bucket {
  readonly s3: S3;
  readonly name: string;
  locate(this: void, key: string): { Bucket: string; Key: string };
}

/** @param pool to the origin of `settings.endpoint` */
export function openBucket(settings: S3Settings, pool: ServicePool): Bucket {
  const { endpoint, region, bucket: name, access_key_id: accessKeyId, secret_access_key: secretAccessKey } = settings;
  const s3 = new S3({
    endpoint,
    region,
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
    requestHandler: createS3Handler(pool),
    maxAttempts: 3,
    // Stores other than Amazon's may support no checksums but those of the signature, which cover the whole request.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    expectContinueHeader: false,
  });
  return { s3, name, locate: (key) => ({ Bucket: name, Key: OBJECT_PREFIX + key }) };
}
