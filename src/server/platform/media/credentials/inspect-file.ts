import type { CredentialReport } from '#contract/resources/credentials.ts';
import type { DecodeOptions } from '#server/platform/media/decode-queue.ts';
import type { MediaTools } from '#server/platform/media/media-tools.ts';

export interface InspectedFile {
  file: string;
  /** From its content. */
  mime_type: string;
  /** A manifest beside the file. */
  sidecar?: Uint8Array | undefined;
}

/**
 * Reads and checks the content credentials of a file of any origin in the bounded process.
 * @param anchors PEM certificates of this installation's issuers
 * @throws {MediaError} `busy`, `timeout`, `processing_failed`; the signal's reason when aborted
 */
export declare function inspectFile(
  tools: MediaTools,
  { file, mime_type, sidecar }: InspectedFile,
  anchors: string,
  options?: DecodeOptions,
): Promise<CredentialReport>;
