import type { Upload } from '#contract/resources/upload.ts';
import { FileLostError, RefusedFileError } from '#web/uploads/create-engine.ts';
import { judgeFile } from '#web/uploads/judge-file.ts';
import { knownLimits, readLimits } from '#web/uploads/limits.ts';
import { setResource, resourceOf } from '#web/uploads/resources.ts';
import { sendInParts } from '#web/uploads/send-in-parts.ts';
import { sendWhole, type SendTools } from '#web/uploads/send-whole.ts';
import type { Sending } from '#web/uploads/sendings.ts';

/** Larger ones go in parts, where the service takes parts: what has arrived of them need not be sent again. */
const WHOLE_UP_TO_BYTES = 8_388_608;

/** Why a file need not be sent at all, as far as that is known without asking. */
export const refuseFile = (file: File): string | null => judgeFile(file, knownLimits()?.max_bytes ?? null);

/**
 * Sends a file the way that suits it.
 * @throws {FileLostError} @throws {RefusedFileError} @throws {ApiError} @throws {NetworkError} @throws {DOMException}
 */
export async function sendFile({ id }: Sending, file: File, tools: SendTools): Promise<Upload> {
  const { max_bytes, resumable_path: path } = await readLimits();
  const refusal = judgeFile(file, max_bytes);
  if (refusal !== null) throw new RefusedFileError(refusal);
  await expectReadable(file);
  tools.signal.throwIfAborted();
  if (path === null || file.size <= WHOLE_UP_TO_BYTES) return sendWhole(file, tools);
  const resource = resourceOf(id);
  return sendInParts(file, { ...tools, path, resource, onResource: (begun) => setResource(id, begun) });
}

/** A file that was moved or changed since it was chosen can't be read, which would look like a network that is away. */
async function expectReadable(file: File): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch (error) {
    throw new FileLostError('The file was moved or changed since it was chosen.', { cause: error });
  }
}
