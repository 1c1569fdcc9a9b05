import type { Upload, UPLOAD_ID_HEADER } from '#contract/resources/upload.ts';
import { api } from '#web/api.ts';
import { NetworkError, readApiError } from '#web/api-errors.ts';
import { type Answer, isGood, type Request, request } from '#web/uploads/request.ts';
import type { SendTools } from '#web/uploads/send-whole.ts';

/** One request each: small enough for a slow line and for what stands between, large enough not to cost time. */
const PART_BYTES = 8_388_608;
const VERSION = { 'tus-resumable': '1.0.0' };
const PART_TYPE = { 'content-type': 'application/offset+octet-stream' };
/** Held to the contract by the compiler; importing it would bring the schemas along. */
const UPLOAD_ID: typeof UPLOAD_ID_HEADER = 'upload-id';
/** So often the service may have another opinion of how far it is. */
const MOST_CORRECTIONS = 5;

const GONE: ReadonlySet<number> = new Set([403, 404, 410]);

export interface PartTools extends SendTools {
  /** Where such uploads are begun. */
  path: string;
  /** Where this one was begun before; null: nowhere. */
  resource: string | null;
  /** It is begun: from there it can be gone on with. */
  onResource: (resource: string) => void;
}

type Ask = (request: Omit<Request, 'key' | 'signal'>) => Promise<Answer>;

/**
 * Sends a file part by part by the tus protocol (1.0.0), from where it was left.
 * @throws {ApiError} refused @throws {NetworkError} no answer @throws {DOMException} `AbortError`
 */
export async function sendInParts(file: File, tools: PartTools): Promise<Upload> {
  const upload_id = await api.lend((base_url, key) => {
    const ask: Ask = async (what) => {
      const answer = await request({ ...what, headers: { ...VERSION, ...what.headers }, key, signal: tools.signal });
      if (answer.status === 0) throw new NetworkError();
      return answer;
    };
    return sendAll(file, base_url, ask, tools);
  });
  return api.call('get_upload', { params: { upload_id }, signal: tools.signal });
}

async function sendAll(file: File, base_url: string, ask: Ask, tools: PartTools): Promise<string> {
  const { onSent, onAllSent, onResource } = tools;
  const known = tools.resource ? await howFar(tools.resource, ask) : null;
  if (known?.upload_id) return known.upload_id;
  const resource = (known && tools.resource) ?? (await begin(file, base_url + tools.path, ask));
  if (resource !== tools.resource) onResource(resource);

  let offset = known?.offset ?? 0;
  onSent(offset);
  for (let corrections = 0; corrections < MOST_CORRECTIONS;) {
    const end = Math.min(offset + PART_BYTES, file.size);
    const from = offset;
    const answer = await ask({
      method: 'PATCH',
      url: resource,
      headers: { ...PART_TYPE, 'upload-offset': String(from) },
      body: file.slice(from, end),
      onSent: (bytes) => onSent(Math.min(from + bytes, end)),
      onAllSent: () => end === file.size && onAllSent(),
    });
    const upload_id = answer.header(UPLOAD_ID);
    if (isGood(answer) && upload_id) return upload_id;
    // Gone meanwhile: it is begun anew.
    if (GONE.has(answer.status)) throw new NetworkError();
    if (!isGood(answer) && answer.status !== 409) throw refusal(answer);
    const next = Number(answer.header('upload-offset') ?? NaN);
    if (isGood(answer) && next > from) {
      offset = next;
      continue;
    }
    // It has more or less than was believed, for instance because an answer was lost.
    corrections += 1;
    const now = await howFar(resource, ask);
    if (now?.upload_id) return now.upload_id;
    offset = now?.offset ?? 0;
  }
  throw new NetworkError();
}

/** What the service has of it; null where it has nothing (any more). */
async function howFar(resource: string, ask: Ask): Promise<{ offset: number; upload_id: string | null } | null> {
  const answer = await ask({ method: 'HEAD', url: resource });
  if (GONE.has(answer.status)) return null;
  if (!isGood(answer)) throw refusal(answer);
  return { offset: Number(answer.header('upload-offset') ?? 0), upload_id: answer.header(UPLOAD_ID) };
}

async function begin(file: File, url: string, ask: Ask): Promise<string> {
  const headers = { 'upload-length': String(file.size), 'upload-metadata': `filename ${base64(file.name)}` };
  const answer = await ask({ method: 'POST', url, headers });
  const place = answer.header('location');
  if (!isGood(answer) || !place) throw refusal(answer);
  // By the way this page is reached, whatever the service believes of its address.
  const { pathname, search } = new URL(place, new URL(url, window.location.href));
  return new URL(pathname + search, new URL(url, window.location.href)).href;
}

/** Gives up what was begun, so that the service need not keep it. A failure is nobody's concern: it expires. */
export const forgetParts = (resource: string): Promise<unknown> =>
  api
    .lend(async (_base_url, key) => key && request({ method: 'DELETE', url: resource, key, headers: VERSION }))
    .catch(() => undefined);

const refusal = ({ status, text, header }: Answer) => readApiError(status, text, header);

const base64 = (text: string) => btoa(String.fromCodePoint(...new TextEncoder().encode(text)));
