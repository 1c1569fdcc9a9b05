import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type _Object, GetObjectCommand, type MultipartUpload, type S3 } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { S3Settings } from '#server/platform/core/settings/config.ts';
import type { ServicePool } from '#server/platform/net/service-pool.ts';
import { type Bucket, OBJECT_PREFIX, openBucket } from './s3-bucket.ts';
import { ANSWER_TIMEOUT_MS, callS3, nullIfMissing } from './s3-errors.ts';
import { putObject } from './s3-put.ts';
import {
  assertStorageKey,
  type ByteRange,
  isStorageKey,
  type LinkOptions,
  type Storage,
  StorageError,
  throwUnavailable,
} from './storage.ts';

/** Written by the readiness check; kept apart from media. */
const PROBE_KEY = 'emulsion-ready';
/** A successful check is cached, because each one is a billed request. */
const PROBE_TTL_MS = 5_000;

/** Stores media in an S3 bucket below `media/`. @param pool to the origin of `settings.endpoint` */
export function createS3Storage(
  settings: S3Settings,
  pool: ServicePool,
  probeHoldsMs = PROBE_TTL_MS,
  answerMs = ANSWER_TIMEOUT_MS,
): Storage {
  const bucket = openBucket(settings, pool);
  const { s3, name } = bucket;
  let probedMs = Number.NEGATIVE_INFINITY;
  const at = (key: string) => {
    assertStorageKey(key);
    return bucket.locate(key);
  };

  async function read(key: string, { start, end }: ByteRange = {}, signal?: AbortSignal): Promise<Readable> {
    const part = start === undefined && end === undefined ? {} : { Range: `bytes=${start ?? 0}-${end ?? ''}` };
    const request = { ...at(key), ...part };
    const body = await callS3(
      signal,
      async (options) => {
        const response = await nullIfMissing(s3.getObject(request, options));
        if (response === null) return null;
        if (!(response.Body instanceof Readable)) throw new Error('An object without a body.');
        // A store that stops after the headers is unavailable too, and the caller can still be told.
        await waitForBytes(response.Body);
        return response.Body;
      },
      answerMs,
    );
    return body ?? throwMissing(key);
  }

  return {
    async put(key, source, { signal } = {}) {
      at(key);
      signal?.throwIfAborted();
      return putObject(bucket, key, source, signal);
    },

    read: (key, range) => read(key, range),

    async stat(key) {
      const request = at(key);
      const head = await callS3(
        undefined,
        async (options) => {
          const found = await nullIfMissing(s3.headObject(request, options));
          // HEAD does not distinguish a missing object from a missing bucket.
          if (found === null) await s3.headBucket({ Bucket: name }, options);
          return found;
        },
        answerMs,
      );
      return head && { size_bytes: head.ContentLength ?? 0, modified_at: head.LastModified ?? new Date(0) };
    },

    async delete(key) {
      const unwanted = at(key);
      await callS3(undefined, (options) => nullIfMissing(s3.deleteObject(unwanted, options)), answerMs);
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
      if (performance.now() - probedMs < probeHoldsMs) return;
      const probe = { Bucket: name, Key: PROBE_KEY, Body: 'ready' };
      await callS3(undefined, (options) => s3.putObject(probe, options), answerMs);
      probedMs = performance.now();
    },

    ...(settings.links === 'presigned' ? { link: (key, options) => presignObject(s3, at(key), options) } : {}),
  };
}

/** Resolves with the first bytes, or with the end of an empty object. @throws what the stream fails with */
async function waitForBytes(body: Readable): Promise<void> {
  const waiting = new AbortController();
  const events = ['readable', 'end'].map((event) => once(body, event, { signal: waiting.signal }));
  await Promise.race(events).finally(() => waiting.abort());
}

function throwMissing(key: string): never {
  throw new StorageError('not_found', `No object ${key}`);
}

/** @throws {StorageError} `unavailable` */
async function* listObjects({ s3, name }: Bucket): AsyncGenerator<_Object> {
  let token: string | undefined;
  do {
    const from = token === undefined ? {} : { ContinuationToken: token };
    const page = await callS3(undefined, () => s3.listObjectsV2({ Bucket: name, Prefix: OBJECT_PREFIX, ...from }));
    yield* page.Contents ?? [];
    token = page.IsTruncated ? page.NextContinuationToken : undefined;
  } while (token !== undefined);
}

/** @throws {StorageError} `unavailable` */
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

/** Signs a link that reads one object with a fixed type. It contains no secret. */
function presignObject(
  s3: S3,
  object: { Bucket: string; Key: string },
  { mime_type, disposition, signed_at, expires_at }: LinkOptions,
): Promise<string> {
  const ageSeconds = Math.floor((expires_at.getTime() - signed_at.getTime()) / 1000);
  const shown = {
    ResponseContentType: mime_type,
    ResponseContentDisposition: disposition,
    ResponseCacheControl: `private, max-age=${ageSeconds}, immutable`,
  };
  const command = new GetObjectCommand({ ...object, ...shown });
  return getSignedUrl(s3, command, { signingDate: signed_at, expiresIn: ageSeconds });
}
