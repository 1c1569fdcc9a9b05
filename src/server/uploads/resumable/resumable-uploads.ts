import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { mkdir } from 'node:fs/promises';
import type { Caller } from '../../caller.ts';
import { ApiError } from '../../http/api-error.ts';
import { unavailable } from '../../storage/storage.ts';
import { refused } from '../upload-errors.ts';
import { assertUploadSpace } from '../upload-space.ts';
import { findResumable, resumableFolder } from './find-resumable.ts';
import { type Finishing, forgetResumable } from './finish-resumable.ts';
import { unknownUpload, whileHeld } from './hold-resumable.ts';
import { exchange, type TusAnswer, tusRequest } from './tus-exchange.ts';
import { createTusServer, type TusServer, TUS_VERSION } from './tus-server.ts';
import { answerFinished, conclude, expires, writeResumable } from './write-resumable.ts';

export interface ResumableUploads {
  /** What the service can do. */
  describe(incoming: IncomingMessage): Promise<TusAnswer>;
  /** POST: begins an upload. */
  begin(caller: Caller, incoming: IncomingMessage): Promise<TusAnswer>;
  /** HEAD, PATCH and DELETE of one upload. */
  goOn(caller: Caller, id: string, incoming: IncomingMessage): Promise<TusAnswer>;
}

const BODY_TYPE = 'application/offset+octet-stream';

/**
 * Resumable uploads by the tus protocol: what has arrived whole is judged, and becomes an upload like any other. Its
 * methods throw {ApiError} 400, 404, 408, 409, 412, 413, 429, 503 and {StorageError}.
 */
export function createResumableUploads(deps: Finishing): ResumableUploads {
  let opened: TusServer | undefined;
  const open = async (): Promise<TusServer> => {
    await mkdir(resumableFolder(deps.config), { recursive: true }).catch(unavailable);
    return (opened ??= createTusServer(deps));
  };
  return {
    async describe(incoming) {
      const tus = await open();
      return exchange(deps.config, tus.answer(tusRequest(incoming, 'OPTIONS')));
    },

    async begin(caller, incoming) {
      assertVersion(incoming);
      if (incoming.headers['upload-length'] === '0') throw refused('The file is empty.');
      const tus = await open();
      const { config } = deps;
      const length = Number(incoming.headers['upload-length'] ?? 0);
      // A length that is no number, or too large, is refused for that.
      const is_acceptable = length > 0 && length <= config.max_upload_bytes;
      await assertUploadSpace(deps, resumableFolder(config), is_acceptable ? length : 0);
      const id = randomUUID();
      try {
        const created = await exchange(config, tus.answer(tusRequest(incoming, 'POST'), { id, caller }));
        const row = await findResumable(deps, caller, id);
        if (!row) throw unknownUpload();
        if (incoming.headers['content-type'] !== BODY_TYPE) {
          return { ...created, headers: { ...created.headers, ...expires(row) } };
        }
        // The first bytes may come along; they are taken as those of the request that would follow.
        const first = { id, incoming, headers: { 'upload-offset': '0', 'upload-length': null } };
        const written = await whileHeld(deps, id, async (held) =>
          conclude(deps, tus, row, await writeResumable(deps, tus, first, held), held),
        );
        return { status: created.status, headers: { ...created.headers, ...written.headers } };
      } catch (error) {
        // Nobody hears of its address.
        await forgetResumable(deps, id);
        throw error;
      }
    },

    async goOn(caller, id, incoming) {
      assertVersion(incoming);
      if (!(await findResumable(deps, caller, id))) throw unknownUpload();
      const tus = await open();
      return whileHeld(deps, id, async (held) => {
        const row = await findResumable(deps, caller, id);
        if (!row) throw unknownUpload();
        if (incoming.method === 'DELETE') {
          await forgetResumable(deps, id);
          return { status: 204, headers: {} };
        }
        if (row.upload_id !== null) return answerFinished(incoming, row, row.upload_id);
        const answer =
          incoming.method === 'PATCH'
            ? await writeResumable(deps, tus, { id, incoming }, held)
            : await exchange(deps.config, tus.answer(tusRequest(incoming, 'HEAD', { id })));
        return conclude(deps, tus, row, answer, held);
      });
    },
  };
}

function assertVersion({ headers }: IncomingMessage): void {
  if (headers['tus-resumable'] === TUS_VERSION) return;
  throw new ApiError('unsupported_tus_version', `Send the header Tus-Resumable: ${TUS_VERSION}.`);
}
