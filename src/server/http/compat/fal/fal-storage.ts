import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { eq } from 'drizzle-orm';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { endpoints } from '#contract/api/endpoints.ts';
import { findKeyOwner } from '#server/accounts/keys/find-caller.ts';
import { assertUncompressed } from '#server/http/compressed-body.ts';
import type { CompatCall, CompatDeps, CompatReply } from '#server/http/compat/compat-adapter.ts';
import { refuseParameter } from '#server/http/compat/compat-input.ts';
import { disconnectSignal } from '#server/http/disconnect-signal.ts';
import { readJsonBody } from '#server/http/read-json-body.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { createId } from '#server/platform/core/create-id.ts';
import { receiveBody } from '#server/platform/core/receive-body.ts';
import { uploads } from '#server/platform/db/schema/schema.ts';
import { repeatEvery } from '#server/platform/jobs/repeat-every.ts';
import { throwUnavailable } from '#server/platform/storage/storage.ts';
import { createMediaLink } from '#server/studio/assets/media-links.ts';
import { displayFileName } from '#server/studio/uploads/receive-file.ts';
import { receiveLimits, toReceiveError, uploadTooLargeError } from '#server/studio/uploads/upload-errors.ts';
import { removeStaleUploads } from '#server/studio/uploads/upload-folder.ts';
import {
  completeParts,
  partListSchema,
  type ReceiveOptions,
  removeParts,
  storePart,
  storeReserved,
  usedAddressError,
} from './upload-parts.ts';
import { FAL_PREFIX } from './proxy-target.ts';

const LINK_MS = 3_600_000;
const SWEEP_INTERVAL_MS = 600_000;
const MAX_LIST_BYTES = 1_048_576;

const initiateSchema = z.object({
  content_type: z.string().check(z.maxLength(255)),
  file_name: z.string().check(z.minLength(1), z.maxLength(1_024)),
});

/** Reserves an id, and signs the address that receives its file. */
export const initiateUpload =
  (kind: 'files' | 'multipart') =>
  async ({ deps, caller, body, request }: CompatCall): Promise<CompatReply> => {
    if (request.headers['x-fal-object-lifecycle'] !== undefined)
      refuseParameter(
        'x-fal-object-lifecycle',
        'Files are kept as this service is set up to. Leave the lifecycle out.',
      );
    const { data, error } = initiateSchema.safeParse(body);
    if (!data) refuseParameter(String(error.issues[0]?.path[0] ?? ''), 'Send content_type and file_name as texts.');
    const id = createId('upl', deps.clock.now());
    const expires = String(deps.clock.now().getTime() + LINK_MS);
    const name = displayFileName(data.file_name) ?? '';
    const sig = deps.secrets.sign('upload-link', linkText({ kind, id, key: caller.key_id, expires, name }));
    const query = new URLSearchParams({ key: caller.key_id, expires, name, sig });
    return {
      body: {
        file_url: createMediaLink(deps, id).url,
        upload_url: `${deps.config.publicUrl}${FAL_PREFIX}/storage/${kind}/${id}?${query.toString()}`,
      },
    };
  };

const linkText = (link: { kind: string; id: string; key: string; expires: string; name: string }): string =>
  JSON.stringify([link.kind, link.id, link.key, link.expires, link.name]);

type UploadRequest = FastifyRequest<{ Params: { id: string; part?: string }; Querystring: Record<string, unknown> }>;

/** Receives files at signed addresses, each once. */
export function uploadAddresses(scope: FastifyInstance, deps: CompatDeps): void {
  scope.put('/storage/files/:id', async (request: UploadRequest, reply) => {
    const { caller, id, name } = await openLink(deps, 'files', request);
    const { raw } = request;
    const declared = raw.headers['content-length'];
    if (Number(declared ?? 0) > deps.config.maxUploadBytes) throw uploadTooLargeError(deps.config);
    await storeReserved(deps, caller, {
      id,
      bytes: declared === undefined ? null : Number(declared),
      signal: disconnectSignal(reply),
      async receive(file, checkSpace) {
        const { sha256 } = await receiveRaw(deps, raw, file, { maxBytes: deps.config.maxUploadBytes, checkSpace });
        return { filename: name, sha256 };
      },
    });
    return reply.type('application/json').send('{}');
  });

  scope.put('/storage/multipart/:id/:part', async (request: UploadRequest, reply) => {
    const { caller, id } = await openLink(deps, 'multipart', request);
    const { raw } = request;
    const part = { id, number: Number(request.params.part), declared: raw.headers['content-length'] };
    const etag = await storePart(deps, caller, part, (file, limits) => receiveRaw(deps, raw, file, limits));
    return reply.type('application/json').send(JSON.stringify({ partNumber: part.number, etag }));
  });

  scope.post('/storage/multipart/:id/complete', async (request: UploadRequest, reply) => {
    const { caller, id, name } = await openLink(deps, 'multipart', request);
    const body = await readJsonBody(request.raw, endpoints.create_generation, MAX_LIST_BYTES);
    const { data } = partListSchema.safeParse(body);
    if (!data) refuseParameter('parts', 'Send parts as a list of partNumber and etag.');
    await completeParts(deps, caller, { id, name, parts: data.parts, signal: disconnectSignal(reply) });
    await removeParts(deps, caller, id);
    return reply.type('application/json').send('{}');
  });

  const sweep = () =>
    removeStaleUploads(deps.config, new Date(Date.now() - LINK_MS - deps.config.uploadTimeoutSeconds * 1_000));
  scope.addHook('onClose', repeatEvery(deps, SWEEP_INTERVAL_MS, sweep));
}

/** The address needs no key, but stands for one, whose rights may have ended since. @throws {ApiError} 401, 404, 429 */
async function openLink(
  deps: CompatDeps,
  kind: 'files' | 'multipart',
  request: UploadRequest,
): Promise<{ caller: Caller; id: string; name: string | null }> {
  await deps.rate_limit.countAddress(request.ip);
  assertUncompressed(request.raw, endpoints.create_upload);
  const { id } = request.params;
  const [key, expires, name, sig] = ['key', 'expires', 'name', 'sig'].map((each) => String(request.query[each] ?? ''));
  const link = { kind, id, key: key ?? '', expires: expires ?? '', name: name ?? '' };
  const isValid = deps.secrets.verify('upload-link', linkText(link), sig ?? '');
  if (!isValid || Number(expires) <= deps.clock.now().getTime() || (await isUsed(deps, id))) throw usedAddressError();
  const caller = await findKeyOwner(deps, link.key, request.ip);
  if (!caller?.permissions.has('uploads.create'))
    throw new ApiError('authentication_error', 'The key of this upload was revoked or may no longer upload.');
  return { caller, id, name: name || null };
}

const isUsed = async ({ db }: CompatDeps, id: string): Promise<boolean> =>
  (await db.select({ id: uploads.id }).from(uploads).where(eq(uploads.id, id))).length > 0;

/** Streams a body into a new file. @throws {ApiError} 400, 408, 413, 503 */
async function receiveRaw(
  { config }: CompatDeps,
  incoming: FastifyRequest['raw'],
  file: string,
  { maxBytes, checkSpace }: ReceiveOptions,
): Promise<{ sha256: string }> {
  const hash = createHash('sha256');
  const handle = await open(file, 'wx').catch(throwUnavailable);
  let bytes = 0;
  const write = async (chunk: Buffer): Promise<void> => {
    bytes += chunk.length;
    if (bytes > maxBytes) throw uploadTooLargeError(config);
    await checkSpace(chunk.length);
    hash.update(chunk);
    await handle.appendFile(chunk).catch(throwUnavailable);
  };
  try {
    await receiveBody(incoming, write, receiveLimits(config));
  } catch (error) {
    throw toReceiveError(error);
  } finally {
    await handle.close();
  }
  return { sha256: hash.digest('hex') };
}
