import { openAsBlob } from 'node:fs';
import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import type { ResolvedReference } from '#server/models/engine/engine.ts';
import { buildInputWithFiles, withFileFunction } from '#server/models/engine/mapping/build-input-with-files.ts';
import type { Mapping } from '#server/models/engine/mapping/mapping.ts';
import { createMappingContext } from '#server/models/engine/mapping/mapping-context.ts';
import { type UpstreamEngineJob, unreadableResponseError } from '#server/models/engine/upstream.ts';
import type { UpstreamHttp } from '#server/models/engine/upstream-http.ts';

/** Replicate recommends data URLs up to this size; larger files are uploaded. */
const MAX_DATA_URL_BYTES = 256 * 1024;
const UPLOAD_TIMEOUT_MS = 10 * 60_000;

const uploaded = z.object({ urls: z.object({ get: z.url() }) });

/** @param nameReference returns a placeholder for a file @throws {EngineError} if the model does not take the input */
export type PredictionInputBuilder = (
  job: UpstreamEngineJob,
  nameReference: (reference: ResolvedReference) => string,
) => unknown;

export const mapPredictionInput =
  (request: Mapping): PredictionInputBuilder =>
  (job, nameReference) =>
    request(withFileFunction(createMappingContext(job), job.references, nameReference));

/**
 * @returns `has_uploads`: the input has a URL that no other job has
 * @throws {EngineError} {UpstreamBusyError} {ResponseLostError}
 */
export async function buildPredictionInput(
  http: UpstreamHttp,
  build: PredictionInputBuilder,
  job: UpstreamEngineJob,
): Promise<{ input: unknown; has_uploads: boolean }> {
  const urls: string[] = [];
  const input = await buildInputWithFiles(
    (nameReference) => build(job, nameReference),
    async (reference) => {
      const url = await uploadReference(http, reference, job.signal);
      urls.push(url);
      return url;
    },
  );
  return { input, has_uploads: urls.some((url) => !url.startsWith('data:')) };
}

async function uploadReference(http: UpstreamHttp, reference: ResolvedReference, signal: AbortSignal): Promise<string> {
  const { file, media } = reference;
  if (media.size_bytes <= MAX_DATA_URL_BYTES) {
    return `data:${media.mime_type};base64,${await readFile(file, 'base64')}`;
  }
  const form = new FormData();
  form.append('content', await openAsBlob(file, { type: media.mime_type }), `reference.${media.extension}`);
  const response = await http.requestJson('/files', {
    method: 'POST',
    body: form,
    signal,
    timeoutMs: UPLOAD_TIMEOUT_MS,
  });
  const { data, error } = uploaded.safeParse(response);
  if (data) return data.urls.get;
  throw unreadableResponseError(error);
}
