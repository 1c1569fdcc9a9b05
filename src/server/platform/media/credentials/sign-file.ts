import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { ClaimSigner, OwnTrust } from '#server/platform/credentials/signing-authority.ts';
import { readMarks } from '#server/platform/media/marks/read-marks.ts';
import { stripCredentials } from '#server/platform/media/marks/strip-credentials.ts';
import { MediaError } from '#server/platform/media/media-error.ts';
import type { DecodeOptions } from '#server/platform/media/decode-queue.ts';
import type { MediaTools } from '#server/platform/media/media-tools.ts';
import { appendManifest, boxBinding, hashBoxes } from './box-binding.ts';
import {
  CREDENTIAL_JOB_MS,
  jobBytes,
  type ManifestIngredient,
  type ManifestStatement,
  type SignJob,
} from './credential-job.ts';

/** Formats that get their manifest as a box, without reading the file into memory. */
const BOXED = new Set(['video/mp4', 'video/quicktime', 'audio/mp4', 'image/avif']);
/** Formats in which the library writes the manifest. */
const EMBEDDING = new Set(['image/png', 'image/jpeg', 'image/webp', 'audio/wav', 'audio/mpeg']);
/** Above this the library would take more than 300 MB. */
const MAX_EMBEDDED_BYTES = 32 * 2 ** 20;

export interface SignedFile {
  file: string;
  mime_type: string;
  size_bytes: number;
  statement: ManifestStatement;
  ingredients: readonly ManifestIngredient[];
  thumbnail: string | null;
}

export interface Signing {
  tools: MediaTools;
  signer: ClaimSigner;
  trust: OwnTrust;
  options: DecodeOptions;
}

/**
 * Signs a file of this service in place.
 * @returns null; or the manifest for beside the file, where it can't hold it or is too large
 * @throws {MediaError} `processing_failed`, `timeout`; the signal's reason. The file is then as before
 */
export async function signFile(signing: Signing, signed: SignedFile): Promise<Buffer | null> {
  const { file, mime_type, size_bytes } = signed;
  if (BOXED.has(mime_type)) {
    await makeOwn(file);
    const hash = await hashBoxes(file);
    if (!hash) return signBeside(signing, signed);
    await appendManifest(file, await signBinding(signing, signed, boxBinding(hash)));
    return null;
  }
  if (!EMBEDDING.has(mime_type) || size_bytes > MAX_EMBEDDED_BYTES) return signBeside(signing, signed);
  const output = `${file}.signed`;
  try {
    await runJob(signing, signed, { output, binding: null });
    await rename(output, file);
    return null;
  } finally {
    await rm(output, { force: true });
  }
}

/** Without a manifest of before, and with bytes of its own: a copy from storage may share them. */
async function makeOwn(file: string): Promise<void> {
  const handle = await open(file);
  try {
    const isShared = (await handle.stat()).nlink > 1;
    if (!isShared && (await readMarks(file)).c2pa === undefined) return;
    await pipeline(stripCredentials(handle), createWriteStream(`${file}.own`));
  } finally {
    await handle.close();
  }
  await rename(`${file}.own`, file);
}

/** Signs a file without changing it. @returns its sidecar manifest @throws as `signFile` */
export async function signBeside(signing: Signing, signed: SignedFile): Promise<Buffer> {
  const { file, mime_type } = signed;
  const boxes = BOXED.has(mime_type) ? await hashBoxes(file) : null;
  if (boxes) return signBinding(signing, signed, boxBinding(boxes));
  const data = { alg: 'sha256', hash: [...(await hashFile(file))], name: 'jumbf manifest', pad: [] };
  return signBinding(signing, signed, { label: DATA_BINDING, data });
}

export const DATA_BINDING = 'c2pa.hash.data';

/** @returns SHA-256 */
export async function hashFile(file: string): Promise<Buffer> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(file)) hash.update(piece as Buffer);
  return hash.digest();
}

const signBinding = async (signing: Signing, signed: SignedFile, binding: SignJob['binding']): Promise<Buffer> =>
  Buffer.from(await runJob(signing, signed, { output: null, binding }), 'base64');

async function runJob(
  { tools, signer, trust, options }: Signing,
  { file, mime_type, size_bytes, ...said }: SignedFile,
  target: Pick<SignJob, 'output' | 'binding'>,
): Promise<string> {
  const { alg, reserve_bytes } = signer;
  const job: SignJob = { kind: 'sign', file, format: mime_type, alg, reserve_bytes, trust, ...said, ...target };
  const checked = said.ingredients.flatMap(({ file: ingredient }) => (ingredient === undefined ? [] : [ingredient]));
  const sizes = await Promise.all(checked.map(async (each) => (await stat(each)).size));
  const bytes = Math.max(
    jobBytes('embed', target.output === null ? 0 : size_bytes),
    ...sizes.map((size) => jobBytes('read', size)),
  );
  const sign = async (claim: string): Promise<string> =>
    Buffer.from(await signer.sign(Buffer.from(claim, 'base64'), options.signal)).toString('base64');
  return tools.queue.run(bytes, options, async () => {
    const response = await tools.pictures.run(job, {
      timeoutMs: CREDENTIAL_JOB_MS,
      signal: options.signal,
      answer: (response) => ('claim' in response ? sign(response.claim) : undefined),
    });
    if ('manifest' in response) return response.manifest;
    const cause = new Error('problem' in response ? response.problem : 'received another response');
    throw new MediaError('processing_failed', 'The file could not be signed.', { cause });
  });
}
