import type { Upload, UPLOAD_ID_HEADER } from '#contract/resources/upload.ts';
import { api } from '#web/api/api.ts';
import { NetworkError, parseApiError } from '#web/api/api-errors.ts';
import { type UploadResponse, isSuccess, type UploadRequest, sendUploadRequest } from './send-upload-request.ts';
import type { TransferOptions } from './upload-whole-file.ts';

/** One request each: small enough for a slow line and for what stands between, large enough not to cost time. */
const CHUNK_BYTES = 8_388_608;
const TUS_HEADERS = { 'tus-resumable': '1.0.0' };
const CHUNK_HEADERS = { 'content-type': 'application/offset+octet-stream' };
/** Held to the contract by the compiler; importing it would bring the schemas along. */
const UPLOAD_ID: typeof UPLOAD_ID_HEADER = 'upload-id';
/** So often the service may have another opinion of how far it is. */
const MAX_OFFSET_CORRECTIONS = 5;

const GONE_STATUSES: ReadonlySet<number> = new Set([403, 404, 410]);

export interface ChunkedUploadOptions extends TransferOptions {
  /** Where such uploads are begun. */
  path: string;
  /** Where this one was begun before; null: nowhere. */
  resource: string | null;
  /** It is begun: from there it can be gone on with. */
  onResource: (resource: string) => void;
}

type SendTusRequest = (request: Omit<UploadRequest, 'key' | 'signal'>) => Promise<UploadResponse>;

/**
 * Sends a file part by part by the tus protocol (1.0.0), from where it was left.
 * @throws {ApiError} refused @throws {NetworkError} no answer @throws {DOMException} `AbortError`
 */
export async function uploadInChunks(file: File, tools: ChunkedUploadOptions): Promise<Upload> {
  const upload_id = await api.withCredential((base_url, key) => {
    const ask: SendTusRequest = async (what) => {
      const answer = await sendUploadRequest({
        ...what,
        headers: { ...TUS_HEADERS, ...what.headers },
        key,
        signal: tools.signal,
      });
      if (answer.status === 0) throw new NetworkError();
      return answer;
    };
    return uploadChunks(file, base_url, ask, tools);
  });
  return api.call('get_upload', { params: { upload_id }, signal: tools.signal });
}

async function uploadChunks(
  file: File,
  base_url: string,
  ask: SendTusRequest,
  tools: ChunkedUploadOptions,
): Promise<string> {
  const { onSent, onAllSent, onResource } = tools;
  const known = tools.resource ? await fetchOffset(tools.resource, ask) : null;
  if (known?.upload_id) return known.upload_id;
  const resource = (known && tools.resource) ?? (await createTusUpload(file, base_url + tools.path, ask));
  if (resource !== tools.resource) onResource(resource);

  let offset = known?.offset ?? 0;
  onSent(offset);
  for (let corrections = 0; corrections < MAX_OFFSET_CORRECTIONS;) {
    const end = Math.min(offset + CHUNK_BYTES, file.size);
    const from = offset;
    const answer = await ask({
      method: 'PATCH',
      url: resource,
      headers: { ...CHUNK_HEADERS, 'upload-offset': String(from) },
      body: file.slice(from, end),
      onSent: (bytes) => onSent(Math.min(from + bytes, end)),
      onAllSent: () => end === file.size && onAllSent(),
    });
    const upload_id = answer.header(UPLOAD_ID);
    if (isSuccess(answer) && upload_id) return upload_id;
    // Gone meanwhile: it is begun anew.
    if (GONE_STATUSES.has(answer.status)) throw new NetworkError();
    if (!isSuccess(answer) && answer.status !== 409) throw toApiError(answer);
    const next = Number(answer.header('upload-offset') ?? NaN);
    if (isSuccess(answer) && next > from) {
      offset = next;
      continue;
    }
    // It has more or less than was believed, for instance because an answer was lost.
    corrections += 1;
    const now = await fetchOffset(resource, ask);
    if (now?.upload_id) return now.upload_id;
    offset = now?.offset ?? 0;
  }
  throw new NetworkError();
}

/** What the service has of it; null where it has nothing (any more). */
async function fetchOffset(
  resource: string,
  ask: SendTusRequest,
): Promise<{ offset: number; upload_id: string | null } | null> {
  const answer = await ask({ method: 'HEAD', url: resource });
  if (GONE_STATUSES.has(answer.status)) return null;
  if (!isSuccess(answer)) throw toApiError(answer);
  return { offset: Number(answer.header('upload-offset') ?? 0), upload_id: answer.header(UPLOAD_ID) };
}

async function createTusUpload(file: File, url: string, ask: SendTusRequest): Promise<string> {
  const headers = { 'upload-length': String(file.size), 'upload-metadata': `filename ${base64(file.name)}` };
  const answer = await ask({ method: 'POST', url, headers });
  const place = answer.header('location');
  if (!isSuccess(answer) || !place) throw toApiError(answer);
  // By the way this page is reached, whatever the service believes of its address.
  const { pathname, search } = new URL(place, new URL(url, window.location.href));
  return new URL(pathname + search, new URL(url, window.location.href)).href;
}

/** Gives up what was begun, so that the service need not keep it. A failure is nobody's concern: it expires. */
export const deleteChunkedUpload = (resource: string): Promise<unknown> =>
  api
    .withCredential(
      async (_base_url, key) =>
        key && sendUploadRequest({ method: 'DELETE', url: resource, key, headers: TUS_HEADERS }),
    )
    .catch(() => undefined);

const toApiError = ({ status, text, header }: UploadResponse) => parseApiError(status, text, header);

const base64 = (text: string) => btoa(String.fromCodePoint(...new TextEncoder().encode(text)));
