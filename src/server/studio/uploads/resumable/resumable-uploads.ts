import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { mkdir } from 'node:fs/promises';
import type { Caller } from '#server/platform/core/caller.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { throwUnavailable } from '#server/platform/storage/storage.ts';
import { invalidUploadError } from '#server/studio/uploads/upload-errors.ts';
import { assertUploadSpace } from '#server/studio/uploads/upload-folder.ts';
import { findResumableUpload, resumableFolder } from './find-resumable.ts';
import { type FinishResumableDeps, deleteResumable } from './finish-resumable.ts';
import { resumableNotFoundError, withResumableLock } from './lock-resumable.ts';
import { runTusRequest, type TusResponse, buildTusRequest } from './tus-messages.ts';
import { createTusServer, type TusServer, TUS_VERSION } from './tus-server.ts';
import { respondFinished, completeTusResponse, expiryHeaders, writeResumable } from './write-resumable.ts';

interface ResumableUploads {
  getCapabilities(incoming: IncomingMessage): Promise<TusResponse>;
  create(caller: Caller, incoming: IncomingMessage): Promise<TusResponse>;
  /** @param request.method of tus, which may not be that of the HTTP request */
  handle(caller: Caller, request: { id: string; method: string }, incoming: IncomingMessage): Promise<TusResponse>;
}

const BODY_TYPE = 'application/offset+octet-stream';

/** Handles the tus protocol. Its methods throw {ApiError} 400, 404, 408, 409, 412, 413, 429, 503 and {StorageError}. */
export function createResumableUploads(deps: FinishResumableDeps): ResumableUploads {
  let server: TusServer | undefined;
  const getServer = async (): Promise<TusServer> => {
    await mkdir(resumableFolder(deps.config), { recursive: true }).catch(throwUnavailable);
    return (server ??= createTusServer(deps));
  };
  return {
    async getCapabilities(incoming) {
      const tus = await getServer();
      return runTusRequest(deps.config, tus.handle(buildTusRequest(incoming, 'OPTIONS')));
    },

    async create(caller, incoming) {
      assertVersion(incoming);
      if (incoming.headers['upload-length'] === '0') throw invalidUploadError('The file is empty.');
      const tus = await getServer();
      const { config } = deps;
      const length = Number(incoming.headers['upload-length'] ?? 0);
      // An invalid or oversized length is rejected as such, not for the lack of space.
      const isAcceptable = length > 0 && length <= config.maxUploadBytes;
      await assertUploadSpace(deps, resumableFolder(config), isAcceptable ? length : 0);
      const id = randomUUID();
      try {
        const created = await runTusRequest(config, tus.handle(buildTusRequest(incoming, 'POST'), { id, caller }));
        const row = await findResumableUpload(deps, caller, id);
        if (!row) throw resumableNotFoundError();
        if (incoming.headers['content-type'] !== BODY_TYPE) {
          return { ...created, headers: { ...created.headers, ...expiryHeaders(row) } };
        }
        // With creation-with-upload the first bytes come along; they are written like those of a PATCH.
        const first = { id, incoming, headers: { 'upload-offset': '0', 'upload-length': null } };
        const written = await withResumableLock(deps, id, async (lock) =>
          completeTusResponse(deps, tus, row, await writeResumable(deps, tus, first, lock), lock),
        );
        return { status: created.status, headers: { ...created.headers, ...written.headers } };
      } catch (error) {
        // The client never learns its URL.
        await deleteResumable(deps, id);
        throw error;
      }
    },

    async handle(caller, { id, method }, incoming) {
      assertVersion(incoming);
      if (!(await findResumableUpload(deps, caller, id))) throw resumableNotFoundError();
      const tus = await getServer();
      return withResumableLock(deps, id, async (lock) => {
        const row = await findResumableUpload(deps, caller, id);
        if (!row) throw resumableNotFoundError();
        if (method === 'DELETE') {
          await deleteResumable(deps, id);
          return { status: 204, headers: {} };
        }
        if (row.upload_id !== null) return respondFinished(method, incoming, row, row.upload_id);
        const response =
          method === 'PATCH'
            ? await writeResumable(deps, tus, { id, incoming }, lock)
            : await runTusRequest(deps.config, tus.handle(buildTusRequest(incoming, 'HEAD', { id })));
        return completeTusResponse(deps, tus, row, response, lock);
      });
    },
  };
}

function assertVersion({ headers }: IncomingMessage): void {
  if (headers['tus-resumable'] === TUS_VERSION) return;
  throw new ApiError('unsupported_tus_version', `Send the header Tus-Resumable: ${TUS_VERSION}.`);
}
