import type { _Object, MultipartUpload } from '@aws-sdk/client-s3';
import { type Bucket, PREFIX } from './s3-bucket.ts';
import { asked } from './s3-fault.ts';

/** What the client lists of an object, a thousand at a time. @throws {StorageError} `unavailable` */
export async function* listObjects({ s3, name }: Bucket): AsyncGenerator<_Object> {
  let token: string | undefined;
  do {
    const from = token === undefined ? {} : { ContinuationToken: token };
    const page = await asked(undefined, () => s3.listObjectsV2({ Bucket: name, Prefix: PREFIX, ...from }));
    yield* page.Contents ?? [];
    token = page.IsTruncated ? page.NextContinuationToken : undefined;
  } while (token !== undefined);
}

/** Uploads in parts that were begun and neither completed nor aborted. @throws {StorageError} `unavailable` */
export async function* listUploads({ s3, name }: Bucket): AsyncGenerator<MultipartUpload> {
  let after: { KeyMarker?: string; UploadIdMarker?: string } = {};
  for (let more = true; more;) {
    const from = after;
    const page = await asked(undefined, () => s3.listMultipartUploads({ Bucket: name, Prefix: PREFIX, ...from }));
    yield* page.Uploads ?? [];
    const { IsTruncated, NextKeyMarker, NextUploadIdMarker } = page;
    more = IsTruncated === true && NextKeyMarker !== undefined;
    after = {
      ...(NextKeyMarker === undefined ? {} : { KeyMarker: NextKeyMarker }),
      ...(NextUploadIdMarker === undefined ? {} : { UploadIdMarker: NextUploadIdMarker }),
    };
  }
}
