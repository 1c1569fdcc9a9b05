import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OutboundError } from '#server/platform/net/outbound-error.ts';
import { EngineError } from './engine.ts';
import { OutputLostError, UnfetchedOutputError } from './unfetched-output.ts';
import { ResponseLostError, unreadableResponseError } from './upstream.ts';
import { isNotFoundError, type UpstreamHttp } from './upstream-http.ts';

export type UpstreamOutput = { url: string } | { base64: string };

export const MAX_OUTPUTS = 64;
export const MAX_OUTPUT_BYTES = 2 * 2 ** 30;
const TIMEOUT_MS = 15 * 60_000;
const DATA_URL = /^data:[^,]*;base64,/i;
const MAX_ADDRESSES = 4;

type OutputHttp = Pick<UpstreamHttp, 'download' | 'redact'>;
interface OutputJob {
  workDir: string;
  signal: AbortSignal;
}
interface Failure {
  output: UpstreamOutput;
  error: Error;
}

/**
 * Saves outputs in order and decodes `data:` URLs. What fails does not keep the others from being saved.
 * @throws {UnfetchedOutputError} when an output can never be fetched; {OutputLostError} when it may succeed later
 */
export async function saveOutputs(
  http: OutputHttp,
  outputs: readonly UpstreamOutput[],
  job: OutputJob,
  maxBytes = MAX_OUTPUT_BYTES,
): Promise<string[]> {
  const files: string[] = [];
  const failures: Failure[] = [];
  for (const [index, output] of outputs.slice(0, MAX_OUTPUTS).entries()) {
    const file = join(job.workDir, `output-${index}`);
    try {
      await saveOutput(http, output, file, { job, maxBytes });
      files.push(file);
    } catch (error) {
      failures.push({ output, error: toFailure(error, job.signal) });
    }
  }
  const [first] = failures;
  if (first) throw unfetchedError(http, first.error, failures, files);
  if (outputs.length <= MAX_OUTPUTS) return files;
  const message = `The provider returned ${outputs.length} outputs; only the first ${MAX_OUTPUTS} were fetched. Look for the others at the provider, then decide.`;
  throw new UnfetchedOutputError(message, files, new Error('too many outputs'));
}

async function saveOutput(
  http: OutputHttp,
  output: UpstreamOutput,
  file: string,
  { job, maxBytes }: { job: OutputJob; maxBytes: number },
): Promise<void> {
  const embedded = 'base64' in output ? output.base64 : DATA_URL.test(output.url) && output.url.replace(DATA_URL, '');
  if (typeof embedded === 'string') await saveBase64(embedded, file, maxBytes);
  else if ('url' in output)
    await http.download(output.url, file, { maxBytes, timeoutMs: TIMEOUT_MS, signal: job.signal });
}

async function saveBase64(base64: string, file: string, maxBytes: number): Promise<void> {
  if (!/^[a-z0-9+/\s]+={0,2}$/i.test(base64.trimEnd())) throw unreadableResponseError();
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > maxBytes) {
    throw new EngineError('engine_failed', `The output is larger than ${Math.floor(maxBytes / 1_048_576)} MB.`);
  }
  await writeFile(file, bytes);
}

/** @throws what is no fault of an output, such as the reason of a shutdown */
function toFailure(error: unknown, signal: AbortSignal): Error {
  const reason: unknown = signal.aborted ? signal.reason : null;
  if (reason instanceof Error && reason.name === 'TimeoutError')
    return new ResponseLostError('The download took too long.', { cause: reason });
  signal.throwIfAborted();
  if (error instanceof EngineError || error instanceof ResponseLostError) return error;
  throw error;
}

function unfetchedError(http: OutputHttp, error: Error, failures: readonly Failure[], files: readonly string[]): Error {
  const { cause, message } = error;
  const reason = cause instanceof OutboundError ? cause.message : message;
  const what = failures.length === 1 ? 'a file' : `${failures.length} files`;
  const addresses = failures.flatMap(({ output }) => addressOf(http, output)).slice(0, MAX_ADDRESSES);
  const where = addresses.length > 0 ? `${addresses.join(' and ')} or at ` : '';
  const unfetched = new UnfetchedOutputError(
    `The provider reported success, but ${what} of its result can’t be fetched: ${reason} Look for it at ${where}the provider, then decide.`,
    files,
    cause ?? error,
  );
  const isFinal = failures.every((each) => each.error instanceof EngineError || isNotFoundError(each.error));
  return isFinal ? unfetched : new OutputLostError(unfetched);
}

/** Without its query, which may be a signature. */
function addressOf({ redact }: OutputHttp, output: UpstreamOutput): string[] {
  const url = 'url' in output ? URL.parse(output.url) : null;
  return url && /^https?:$/.test(url.protocol) ? [redact(`${url.origin}${url.pathname}`)] : [];
}
