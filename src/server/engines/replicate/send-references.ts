import { randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import type { ResolvedReference } from '../engine.ts';
import { withFileFunction } from '../mapping/file-function.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { mappingContext } from '../mapping/mapping-context.ts';
import { AnswerLost, type UpstreamJob } from '../upstream.ts';
import type { UpstreamHttp } from '../upstream-http.ts';

/** Up to here a data URL, as Replicate's reference says; what is larger is uploaded and named by its address. */
const MAX_DATA_URL_BYTES = 256 * 1024;
const UPLOAD_TIMEOUT_MS = 10 * 60_000;

const uploaded = z.object({ urls: z.object({ get: z.url() }) });

/**
 * The prediction's input by the operator's expression, with the files sent that it names with `$file`.
 * @throws {EngineError} {UpstreamBusy} {AnswerLost}
 */
export async function predictionInput(http: UpstreamHttp, request: Mapping, job: UpstreamJob): Promise<unknown> {
  // The files are sent once the expression is through, for it may not take long: until then a name stands for each.
  const names = new Map(job.references.map((reference) => [reference, `file:${randomUUID()}`]));
  const nameOf = (reference: ResolvedReference): string => names.get(reference) ?? '';
  const { context, named } = withFileFunction(mappingContext(job), job.references, nameOf);
  const input = await request(context);
  const sent = new Map<string, string>();
  for (const reference of named) sent.set(nameOf(reference), await send(http, reference, job.signal));
  return replaceNames(input, sent);
}

function replaceNames(value: unknown, sent: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return sent.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => replaceNames(item, sent));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, replaceNames(part, sent)]));
}

async function send(http: UpstreamHttp, reference: ResolvedReference, signal: AbortSignal): Promise<string> {
  const { file, media } = reference;
  if (media.size_bytes <= MAX_DATA_URL_BYTES) {
    return `data:${media.mime_type};base64,${await readFile(file, 'base64')}`;
  }
  const form = new FormData();
  form.append('content', await openAsBlob(file, { type: media.mime_type }), `reference.${media.extension}`);
  const answer = await http.json('/files', { method: 'POST', body: form, signal, timeout_ms: UPLOAD_TIMEOUT_MS });
  const { data, error } = uploaded.safeParse(answer);
  if (data) return data.urls.get;
  throw new AnswerLost('The answer of the engine can’t be understood.', { cause: error });
}
