import type { _Object, MultipartUpload } from '@aws-sdk/client-s3';
import { type Bucket, OBJECT_PREFIX } from './s3-bucket.ts';
import { callS3 } from './s3-errors.ts';

/** What the client lists of an object, a thousand at a time. @throws {StorageError} `unavailable` */
export async function* listObjects({ s3, name }: Bucket): AsyncGenerator<_Object> {
  let token: string | undefined;
  do {
    const from = token === undefined ? {} : { ContinuationToken: token };
    const page = await callS3(undefined, () => s3.listObjectsV2({ Bucket: name, Prefix: OBJECT_PREFIX, ...from }));
    yield* page.Contents ?? [];
    token = page.IsTruncated ? page.NextContinuationToken : undefined;
  } while (token !== undefined);
}

/** Uploads in parts that were begun and neither completed nor aborted. @throws {StorageError} `unavailable` */
export async function* listMultipartUploads({ s3, name }: Bucket): AsyncGenerator<MultipartUpload> {
  let after: { KeyMarker?: string; UploadIdMarker?: string } = {};
  for (let more = true; more;) {
    const from = after;
    const page = await callS3(undefined, () =>
      s3.listMultipartUploads({ Bucket: name, Prefix: OBJECT_PREFIX, ...from }),
    );
    yield* page.Uploads ?? [];
    const { IsTruncated, NextKeyMarker, NextUploadIdMarker } = page;
    more = IsTruncated === true && NextKeyMarker !== undefined;
    after = {
      ...(NextKeyMarker === undefined ? {} : { KeyMarker: NextKeyMarker }),
      ...(NextUploadIdMarker === undefined ? {} : { UploadIdMarker: NextUploadIdMarker }),
    };
  }
}
