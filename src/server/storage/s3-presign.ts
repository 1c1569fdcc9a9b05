import { GetObjectCommand, type S3 } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { LinkOptions } from './storage.ts';

/** Signs a link that reads one object with a fixed type. It contains no secret. */
export function presignObject(
  s3: S3,
  object: { Bucket: string; Key: string },
  { mime_type, disposition, signed_at, expires_at }: LinkOptions,
): Promise<string> {
  const age_seconds = Math.floor((expires_at.getTime() - signed_at.getTime()) / 1000);
  const shown = {
    ResponseContentType: mime_type,
    ResponseContentDisposition: disposition,
    ResponseCacheControl: `private, max-age=${age_seconds}, immutable`,
  };
  const command = new GetObjectCommand({ ...object, ...shown });
  return getSignedUrl(s3, command, { signingDate: signed_at, expiresIn: age_seconds });
}
