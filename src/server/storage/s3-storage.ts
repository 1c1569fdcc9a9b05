import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { S3Settings } from '#server/core/config.ts';
import type { ServicePool } from '#server/net/service-pool.ts';
import { openBucket, OBJECT_PREFIX, type Bucket } from './s3-bucket.ts';
import { callS3, nullIfMissing } from './s3-errors.ts';
import { presignObject } from './s3-presign.ts';
import { putObject } from './s3-put.ts';
import {
  assertStorageKey,
  type ByteRange,
  isStorageKey,
  type Storage,
  StorageError,
  throwUnavailable,
} from './storage.ts';
import type { _Object, MultipartUpload } from '@aws-sdk/client-s3';

/** Written to, so that a probe says whether objects can be; apart from the media. */
const PROBE_KEY = 'emulsion-ready';
/** A probe that went well holds for so long: each is a request that costs. */
const PROBE_TTL_MS = 5_000;

/**
 * Media in a bucket of an object store that speaks S3, below `media/`.
 * @param pool to the origin of `settings.endpoint`
 */
export function createS3Storage(settings: S3Settings, pool: ServicePool, probe_holds_ms = PROBE_TTL_MS): Storage {
  const bucket = openBucket(settings, pool);
  const { s3, name } = bucket;
  let probed_ms = Number.NEGATIVE_INFINITY;
  const at = (key: string) => {
    assertStorageKey(key);
    return bucket.locate(key);
  };

  async function read(key: string, { start, end }: ByteRange = {}, signal?: AbortSignal): Promise<Readable> {
    const part = start === undefined && end === undefined ? {} : { Range: `bytes=${start ?? 0}-${end ?? ''}` };
    const wanted = { ...at(key), ...part };
    const answer = await callS3(signal, (options) => nullIfMissing(s3.getObject(wanted, options)));
    if (answer === null) throw new StorageError('not_found', `No object ${key}`);
    return answer.Body instanceof Readable ? answer.Body : throwUnavailable(new Error('An object without a body.'));
  }

  return {
    async put(key, source, { signal } = {}) {
      at(key);
      signal?.throwIfAborted();
      return putObject(bucket, key, source, signal);
    },

    read: (key, range) => read(key, range),

    async stat(key) {
      const wanted = at(key);
      const head = await callS3(undefined, () => nullIfMissing(s3.headObject(wanted)));
      // A HEAD that finds nothing does not say whether the bucket is there.
      if (head === null) await callS3(undefined, () => s3.headBucket({ Bucket: name }));
      return head && { size_bytes: head.ContentLength ?? 0, modified_at: head.LastModified ?? new Date(0) };
    },

    async delete(key) {
      const unwanted = at(key);
      await callS3(undefined, () => nullIfMissing(s3.deleteObject(unwanted)));
    },

    async *list() {
      for await (const { Key, Size, LastModified } of listObjects(bucket)) {
        const key = Key?.slice(OBJECT_PREFIX.length) ?? '';
        if (isStorageKey(key)) yield { key, size_bytes: Size ?? 0, modified_at: LastModified ?? new Date() };
      }
    },

    async copyToFile(key, file, { signal } = {}) {
      signal?.throwIfAborted();
      const body = await read(key, {}, signal);
      await rm(file, { force: true }).catch(throwUnavailable);
      try {
        await pipeline(body, createWriteStream(file, { flags: 'wx' }), ...(signal ? [{ signal }] : []));
      } catch (error) {
        await rm(file, { force: true }).catch(() => undefined);
        signal?.throwIfAborted();
        throwUnavailable(error);
      }
    },

    async removeLeftovers(before) {
      let removed = 0;
      for await (const { Key, UploadId, Initiated } of listMultipartUploads(bucket)) {
        if (Initiated === undefined || Initiated >= before) continue;
        await callS3(undefined, () => s3.abortMultipartUpload({ Bucket: name, Key, UploadId }));
        removed += 1;
      }
      return removed;
    },

    async check() {
      if (performance.now() - probed_ms < probe_holds_ms) return;
      await callS3(undefined, () => s3.putObject({ Bucket: name, Key: PROBE_KEY, Body: 'ready' }));
      probed_ms = performance.now();
    },

    ...(settings.links === 'presigned' ? { link: (key, options) => presignObject(s3, at(key), options) } : {}),
  };
}

/** What the client lists of an object, a thousand at a time. @throws {StorageError} `unavailable` */
async function* listObjects({ s3, name }: Bucket): AsyncGenerator<_Object> {
  let token: string | undefined;
  do {
    const from = token === undefined ? {} : { ContinuationToken: token };
    const page = await callS3(undefined, () => s3.listObjectsV2({ Bucket: name, Prefix: OBJECT_PREFIX, ...from }));
    yield* page.Contents ?? [];
    token = page.IsTruncated ? page.NextContinuationToken : undefined;
  } while (token !== undefined);
}

/** Uploads in parts that were begun and neither completed nor aborted. @throws {StorageError} `unavailable` */
async function* listMultipartUploads({ s3, name }: Bucket): AsyncGenerator<MultipartUpload> {
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
