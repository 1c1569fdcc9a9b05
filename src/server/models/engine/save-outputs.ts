import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from './engine.ts';
import { unreadableResponseError } from './upstream.ts';
import type { UpstreamHttp } from './upstream-http.ts';

export type UpstreamOutput = { url: string } | { base64: string };

export const MAX_OUTPUTS = 64;
export const MAX_OUTPUT_BYTES = 2 * 2 ** 30;
const TIMEOUT_MS = 15 * 60_000;
const DATA_URL = /^data:[^,]*;base64,/i;

/**
 * Saves outputs in order and decodes `data:` URLs.
 * @throws {EngineError} when an output can never be fetched; {ResponseLostError} when it may succeed later
 */
export async function saveOutputs(
  http: Pick<UpstreamHttp, 'download'>,
  outputs: readonly UpstreamOutput[],
  job: { workDir: string; signal: AbortSignal },
  maxBytes = MAX_OUTPUT_BYTES,
): Promise<string[]> {
  if (outputs.length > MAX_OUTPUTS) {
    throw new EngineError('engine_failed', `The provider returned more than ${MAX_OUTPUTS} outputs.`);
  }
  const files: string[] = [];
  for (const [index, output] of outputs.entries()) {
    const file = join(job.workDir, `output-${index}`);
    const embedded = 'base64' in output ? output.base64 : DATA_URL.test(output.url) && output.url.replace(DATA_URL, '');
    if (typeof embedded === 'string') await saveBase64(embedded, file, maxBytes);
    else if ('url' in output)
      await http.download(output.url, file, { maxBytes, timeoutMs: TIMEOUT_MS, signal: job.signal });
    files.push(file);
  }
  return files;
}

async function saveBase64(base64: string, file: string, maxBytes: number): Promise<void> {
  if (!/^[a-z0-9+/\s]+={0,2}$/i.test(base64.trimEnd())) throw unreadableResponseError();
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > maxBytes) {
    throw new EngineError('engine_failed', `The output is larger than ${Math.floor(maxBytes / 1_048_576)} MB.`);
  }
  await writeFile(file, bytes);
}
