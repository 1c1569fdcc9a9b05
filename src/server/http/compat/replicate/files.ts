import { readFile } from 'node:fs/promises';
import type { Upload } from '#contract/resources/upload.ts';
import type { CompatCall, CompatReply } from '#server/http/compat/compat-adapter.ts';
import { refuseParameter } from '#server/http/compat/compat-input.ts';
import { cutName } from '#server/platform/core/cut-text.ts';
import { displayFileName } from '#server/studio/uploads/receive-file.ts';
import { receiveForm, storeFormFile } from '#server/studio/uploads/receive-form.ts';
import { readPage, toPage } from './pages.ts';

/** `type` says nothing: the bytes do. */
const VALUES = ['filename', 'type'];
const MAX_METADATA_BYTES = 64;

/** `urls.get` is a signed link, which works until `expires_at`; the file stays as long as any upload. */
const presentFile = ({ id, url, mime_type, filename, size_bytes, sha256, created_at, expires_at }: Upload) => ({
  id,
  name: filename ?? id,
  content_type: mime_type,
  size: size_bytes,
  checksums: { sha256 },
  metadata: {},
  created_at,
  expires_at,
  urls: { get: url },
});

/** A form with the file, its name, and metadata, which the client sends as a second file. */
export function createFile({ deps, caller, request, disconnected }: CompatCall): Promise<CompatReply> {
  return receiveForm(deps, caller, request.raw, 2, async ({ fields, files }) => {
    for (const [name, [value = '']] of fields) assertKnown(name, value);
    for (const { field, bytes, file } of files)
      if (field !== 'content')
        assertKnown(field, bytes > MAX_METADATA_BYTES ? 'too long' : await readFile(file, 'utf8'));
    const content = files.find(({ field }) => field === 'content');
    if (!content) return refuseParameter('content', 'Send the file as the form field “content”.');
    const filename = displayFileName(fields.get('filename')?.[0] ?? null) ?? content.filename;
    const upload = await storeFormFile(deps, caller, { ...content, filename }, disconnected);
    return { status: 201, body: presentFile(upload) };
  });
}

function assertKnown(name: string, value: string): void {
  if (['', '{}', 'null'].includes(value.replaceAll(/\s/g, ''))) return;
  if (name === 'metadata') refuseParameter(name, 'metadata is not supported for files.');
  if (!VALUES.includes(name)) refuseParameter(name, `The parameter ${cutName(name)} is not supported for files.`);
}

export async function listFiles(call: CompatCall): Promise<CompatReply> {
  const { data, next_cursor } = await call.send('list_uploads', { query: readPage(call) });
  return toPage(call, data.map(presentFile), next_cursor);
}

const fileParams = ({ params }: CompatCall) => ({ params: { upload_id: params['id'] ?? '' } });

export const getFile = async (call: CompatCall): Promise<CompatReply> => ({
  body: presentFile(await call.send('get_upload', fileParams(call))),
});

export async function deleteFile(call: CompatCall): Promise<CompatReply> {
  await call.send('delete_upload', fileParams(call));
  return { status: 204, body: undefined };
}
