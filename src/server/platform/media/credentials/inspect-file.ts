import type { OwnTrust } from '#server/platform/credentials/signing-authority.ts';
import { rm, stat, writeFile } from 'node:fs/promises';
import { type CredentialReport, MAX_VERIFIED_BYTES } from '#contract/resources/credentials.ts';
import { readMarks } from '#server/platform/media/marks/read-marks.ts';
import { MediaError } from '#server/platform/media/media-error.ts';
import type { DecodeOptions } from '#server/platform/media/decode-queue.ts';
import type { MediaTools } from '#server/platform/media/media-tools.ts';
import type { Inspection } from '#server/platform/media/picture-protocol.ts';
import { BOX_BINDING, hashBoxes } from './box-binding.ts';
import { CREDENTIAL_JOB_MS, jobBytes } from './credential-job.ts';
import { DATA_BINDING, hashFile } from './sign-file.ts';

export interface InspectedFile {
  /** Its folder must be writable. */
  file: string;
  /** From its content. */
  mime_type: string;
  /** A manifest beside the file. */
  sidecar?: Uint8Array | undefined;
}

export interface InspectedCredentials {
  report: CredentialReport;
  /** The salted hash of the record in the newest step, if this installation signed it. */
  record_hash: string | null;
}

/**
 * Reads and checks the content credentials of a file of any origin in the bounded process.
 * @param trust how signatures of this installation are recognized
 * @throws {MediaError} `busy`, `timeout`, `processing_failed`; the signal's reason when aborted
 */
export async function inspectFile(
  tools: MediaTools,
  { file, mime_type, sidecar }: InspectedFile,
  trust: OwnTrust,
  options: DecodeOptions = {},
): Promise<InspectedCredentials> {
  const { size } = await stat(file);
  const store = sidecar ?? (size > MAX_VERIFIED_BYTES ? (await readMarks(file)).c2pa : undefined);
  const inspection = store
    ? await inspectStore(tools, { file, store, isBeside: sidecar !== undefined }, trust, options)
    : size > MAX_VERIFIED_BYTES
      ? TOO_LARGE
      : await runJob(tools, { file, format: mime_type, trust }, jobBytes('read', size), options);
  const { record_hash, binding: _binding, ...report } = inspection;
  return { report: { object: 'credential_report', ...report }, record_hash };
}

const TOO_LARGE: Inspection = {
  state: 'none',
  problem: 'No content credentials were found, and the file is too large to search it further.',
  ai: null,
  steps: [],
  has_more_steps: false,
  record_hash: null,
  binding: null,
};

/** Checks the signature in the process and the hash of the file here, which takes no memory. */
async function inspectStore(
  tools: MediaTools,
  { file, store, isBeside }: { file: string; store: Uint8Array; isBeside: boolean },
  trust: OwnTrust,
  options: DecodeOptions,
): Promise<Inspection> {
  const manifest = `${file}.c2pa`;
  await writeFile(manifest, store);
  try {
    const inspection = await runJob(
      tools,
      { file: manifest, format: 'application/c2pa', trust },
      jobBytes('read', store.length),
      options,
    );
    const { state, binding } = inspection;
    if (state !== 'valid') return inspection;
    const hash = await hashAs(binding?.label, file, isBeside);
    if (!binding || !hash) return { ...inspection, state: 'invalid', problem: UNCHECKED_MESSAGE };
    if (hash.toString('base64') === binding.hash) return inspection;
    const problem = isBeside
      ? 'The file is not the one that this manifest was made for, or it was changed since.'
      : 'The file was changed after it was signed.';
    return { ...inspection, state: 'changed', problem };
  } finally {
    await rm(manifest, { force: true });
  }
}

const UNCHECKED_MESSAGE = 'It can’t be checked whether the file was changed.';

/** @returns null for a binding that only the library computes */
async function hashAs(label: string | undefined, file: string, isBeside: boolean): Promise<Buffer | null> {
  if (label === BOX_BINDING) return hashBoxes(file);
  return label === DATA_BINDING && isBeside ? hashFile(file) : null;
}

function runJob(
  tools: MediaTools,
  job: { file: string; format: string; trust: OwnTrust },
  bytes: number,
  options: DecodeOptions,
): Promise<Inspection> {
  return tools.queue.run(bytes, options, async () => {
    const response = await tools.pictures.run(
      { kind: 'inspect', ...job },
      { timeoutMs: CREDENTIAL_JOB_MS, signal: options.signal },
    );
    if ('inspection' in response) return response.inspection;
    const cause = new Error('problem' in response ? response.problem : 'received another response');
    throw new MediaError('processing_failed', 'The content credentials could not be read.', { cause });
  });
}
