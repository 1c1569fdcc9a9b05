import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError } from '#server/platform/core/api-error.ts';
import { MediaError } from '#server/platform/media/media-error.ts';
import { saveMask } from '#server/platform/media/picture-jobs.ts';
import { throwUnavailable } from '#server/platform/storage/storage.ts';
import { mediaBusyError } from '#server/studio/assets/media-busy-error.ts';
import type { FormFile } from '#server/studio/uploads/receive-form.ts';
import { uploadFolder } from '#server/studio/uploads/upload-folder.ts';
import type { CompatCall } from '../compat-adapter.ts';
import { refuseParameter } from '../compat-input.ts';

const DATA_URI = /^data:[^,]{0,300};base64,/;

/** Writes the mask of a JSON body into a temporary file, which the caller removes. @throws {ApiError} 413, 422 */
export async function readMask({ deps: { config }, files }: CompatCall, mask: string): Promise<FormFile> {
  if (!DATA_URI.test(mask)) refuseParameter('mask', 'Send the mask as a file or a data URI in base64, not as a link.');
  const uri = await files.restore(mask, config.maxJsonBytes);
  if (uri === null) throw new ApiError('invalid_request', 'The mask is too large.', { status: 413 });
  const file = join(uploadFolder(config), randomUUID());
  await mkdir(uploadFolder(config), { recursive: true }).catch(throwUnavailable);
  await writeFile(file, Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64'), { flag: 'wx' }).catch(throwUnavailable);
  return describeFile(file);
}

/**
 * Converts a mask of the Images API, transparent where it changes, to one of this service. Decision: Masks
 * @throws {ApiError} 400 without an alpha channel
 */
export async function convertMask({ deps, caller, disconnected }: CompatCall, { file }: FormFile): Promise<FormFile> {
  const output = `${file}.png`;
  const options = { owner: caller.key_id, isRequest: true, signal: disconnected };
  try {
    await saveMask(deps.media, file, { file: output, from: 'transparent', to: 'white' }, options);
    return await describeFile(output);
  } catch (error) {
    await rm(output, { force: true });
    if (!(error instanceof MediaError)) throw error;
    if (error.code !== 'invalid_media') throw mediaBusyError(error);
    const message = 'Invalid mask image format - mask image missing alpha channel.';
    throw new ApiError('invalid_request', message, { details: [{ path: 'mask', message }], cause: error });
  }
}

async function describeFile(file: string): Promise<FormFile> {
  const bytes = await readFile(file);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { field: 'mask', filename: 'mask.png', file, bytes: bytes.length, sha256 };
}
