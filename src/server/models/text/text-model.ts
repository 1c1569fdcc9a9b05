import type { TextModel } from '#contract/resources/text-model.ts';

export interface TextRequest {
  /** What the model is to do with the text. */
  instructions: string;
  text: string;
  max_output_tokens: number;
  timeoutMs: number;
  signal: AbortSignal;
}

export interface TextResponse {
  /**
   * - `complete`: `text` is the answer.
   * - `cut`: the answer, or the thoughts before it, exceeded `max_output_tokens`.
   * - `refused`: by the provider's content filter, or by the model.
   */
  outcome: 'complete' | 'cut' | 'refused';
  text: string;
  /** Thoughts are output; null: the provider did not report it. */
  usage: { input_tokens: number; output_tokens: number } | null;
}

/**
 * Calls a text model once.
 * @throws {EngineError} {UpstreamBusyError} {ResponseLostError}; the signal's reason when aborted
 */
export type GenerateText = (model: string, request: TextRequest) => Promise<TextResponse>;

/** A response of text is small; anything larger is not one. */
export const MAX_TEXT_RESPONSE_BYTES = 1_048_576;

/** The text model that an installation uses. */
export interface OfferedTextModel {
  connection_id: string;
  /** Name of the provider. */
  name: string;
  settings: TextModel;
  generate: GenerateText;
}
