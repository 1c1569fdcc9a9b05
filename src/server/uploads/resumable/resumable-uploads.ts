import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { mkdir } from 'node:fs/promises';
import type { Caller } from '#server/core/caller.ts';
import { ApiError } from '#server/core/api-error.ts';
import { throwUnavailable } from '#server/storage/storage.ts';
import { invalidUploadError } from '../upload-errors.ts';
import { assertUploadSpace } from '../upload-space.ts';
import { findResumableUpload, resumableFolder } from './find-resumable.ts';
import { type FinishResumableDeps, deleteResumable } from './finish-resumable.ts';
import { resumableNotFoundError, withResumableLock } from './lock-resumable.ts';
import { runTusRequest, type TusResponse, buildTusRequest } from './tus-messages.ts';
import { createTusServer, type TusServer, TUS_VERSION } from './tus-server.ts';
import { respondFinished, completeTusResponse, expiryHeaders, writeResumable } from './write-resumable.ts';

export interface ResumableUploads {
  /** What the service can do. */
  getCapabilities(incoming: IncomingMessage): Promise<TusResponse>;
  /** POST: begins an upload. */
  create(caller: Caller, incoming: IncomingMessage): Promise<TusResponse>;
  /** HEAD, PATCH and DELETE of one upload. */
  handle(caller: Caller, id: string, incoming: IncomingMessage): Promise<TusResponse>;
}

const BODY_TYPE = 'application/offset+octet-stream';

/**
 * Resumable uploads by the tus protocol: what has arrived whole is judged, and becomes an upload like any other. Its
 * methods throw {ApiError} 400, 404, 408, 409, 412, 413, 429, 503 and {StorageError}.
 */
export function createResumableUploads(deps: FinishResumableDeps): ResumableUploads {
  let opened: TusServer | undefined;
  const open = async (): Promise<TusServer> => {
    await mkdir(resumableFolder(deps.config), { recursive: true }).catch(throwUnavailable);
    return (opened ??= createTusServer(deps));
  };
  return {
    async getCapabilities(incoming) {
      const tus = await open();
      return runTusRequest(deps.config, tus.handle(buildTusRequest(incoming, 'OPTIONS')));
    },

    async create(caller, incoming) {
      assertVersion(incoming);
      if (incoming.headers['upload-length'] === '0') throw invalidUploadError('The file is empty.');
      const tus = await open();
      const { config } = deps;
      const length = Number(incoming.headers['upload-length'] ?? 0);
      // A length that is no number, or too large, is refused for that.
      const is_acceptable = length > 0 && length <= config.max_upload_bytes;
      await assertUploadSpace(deps, resumableFolder(config), is_acceptable ? length : 0);
      const id = randomUUID();
      try {
        const created = await runTusRequest(config, tus.handle(buildTusRequest(incoming, 'POST'), { id, caller }));
        const row = await findResumableUpload(deps, caller, id);
        if (!row) throw resumableNotFoundError();
        if (incoming.headers['content-type'] !== BODY_TYPE) {
          return { ...created, headers: { ...created.headers, ...expiryHeaders(row) } };
        }
        // The first bytes may come along; they are taken as those of the request that would follow.
        const first = { id, incoming, headers: { 'upload-offset': '0', 'upload-length': null } };
        const written = await withResumableLock(deps, id, async (held) =>
          completeTusResponse(deps, tus, row, await writeResumable(deps, tus, first, held), held),
        );
        return { status: created.status, headers: { ...created.headers, ...written.headers } };
      } catch (error) {
        // Nobody hears of its address.
        await deleteResumable(deps, id);
        throw error;
      }
    },

    async handle(caller, id, incoming) {
      assertVersion(incoming);
      if (!(await findResumableUpload(deps, caller, id))) throw resumableNotFoundError();
      const tus = await open();
      return withResumableLock(deps, id, async (held) => {
        const row = await findResumableUpload(deps, caller, id);
        if (!row) throw resumableNotFoundError();
        if (incoming.method === 'DELETE') {
          await deleteResumable(deps, id);
          return { status: 204, headers: {} };
        }
        if (row.upload_id !== null) return respondFinished(incoming, row, row.upload_id);
        const answer =
          incoming.method === 'PATCH'
            ? await writeResumable(deps, tus, { id, incoming }, held)
            : await runTusRequest(deps.config, tus.handle(buildTusRequest(incoming, 'HEAD', { id })));
        return completeTusResponse(deps, tus, row, answer, held);
      });
    },
  };
}

function assertVersion({ headers }: IncomingMessage): void {
  if (headers['tus-resumable'] === TUS_VERSION) return;
  throw new ApiError('unsupported_tus_version', `Send the header Tus-Resumable: ${TUS_VERSION}.`);
}
