import type { OwnTrust } from '#server/platform/credentials/signing-authority.ts';
import { rm, stat, writeFile } from 'node:fs/promises';
import { type CredentialReport, MAX_VERIFIED_BYTES } from '#contract/resources/credentials.ts';
import { readMarks } from '#server/platform/media/marks/read-marks.ts';
import { MediaError } from '#server/platform/media/media-error.ts';
import type { DecodeOptions } from '#server/platform/media/decode-queue.ts';
import type { MediaTools } from '#server/platform/media/media-tools.ts';
import { BOX_BINDING, hashBoxes } from './box-binding.ts';
import { FOREIGN_JOB_MS, jobBytes } from './credential-job.ts';
import { emptyInspection, type Inspection, tooComplexInspection } from './credential-protocol.ts';
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

export interface InspectOptions extends DecodeOptions {
  /** Anybody may ask for it, so it waits and holds up only others of this kind. */
  isPublic?: boolean | undefined;
}

/**
 * Reads and checks the content credentials of a file of any origin, in at most ten seconds of a bounded process.
 * @param trust how signatures of this installation are recognized
 * @throws {MediaError} `busy`; the signal's reason when aborted
 */
export async function inspectFile(
  tools: MediaTools,
  { file, mime_type, sidecar }: InspectedFile,
  trust: OwnTrust,
  options: InspectOptions = {},
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

const TOO_LARGE = emptyInspection(
  'none',
  'No content credentials were found, and the file is too large to search it further.',
);

/** Checks the signature in the process and the hash of the file here, which takes no memory. */
async function inspectStore(
  tools: MediaTools,
  { file, store, isBeside }: { file: string; store: Uint8Array; isBeside: boolean },
  trust: OwnTrust,
  options: InspectOptions,
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
    if (state !== 'valid' && state !== 'history_problem') return inspection;
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

async function runJob(
  tools: MediaTools,
  job: { file: string; format: string; trust: OwnTrust },
  bytes: number,
  { isPublic = false, ...options }: InspectOptions,
): Promise<Inspection> {
  const { process, queue } = tools.credentials[isPublic ? 'publicChecks' : 'checks'];
  try {
    return await queue.run(bytes, options, async () => {
      const response = await process.run(
        { kind: 'inspect', ...job },
        { timeoutMs: FOREIGN_JOB_MS, signal: options.signal },
      );
      if ('inspection' in response) return response.inspection;
      const cause = new Error('problem' in response ? response.problem : 'received another response');
      throw new MediaError('processing_failed', 'The content credentials could not be read.', { cause });
    });
  } catch (error) {
    // The process was stopped for its time or its memory, or the library failed in it: all of that is up to the file.
    if (!(error instanceof MediaError) || error.code === 'busy') throw error;
    return tooComplexInspection();
  }
}
