import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';
import * as z from 'zod/mini';
import { Asset } from '#contract/resources/generation.ts';
import { MediaItem } from '#contract/resources/media.ts';
import type { ErrorCode } from '#contract/api/errors.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { EndpointResponse } from '#server/http/send-endpoint-request.ts';

/** Assistants read the whole text, so an unusually long response is cut. */
const MAX_TEXT_CHARACTERS = 200_000;

const REPLAYED_NOTE =
  'This repeats an earlier call with the same idempotency_key: nothing new was ordered or charged. To order again, use a new idempotency_key.';

export const textBlock = (text: string): ContentBlock => ({ type: 'text', text });

function jsonBlock(value: unknown): ContentBlock {
  const text = JSON.stringify(value);
  if (text.length <= MAX_TEXT_CHARACTERS) return textBlock(text);
  return textBlock(`${text.slice(0, MAX_TEXT_CHARACTERS)}… (cut; it has ${text.length} characters. Ask for less.)`);
}

const errorResult = (body: unknown): CallToolResult => ({ isError: true, content: [jsonBlock(body)] });

/** Returns an error that no endpoint reported, in the envelope of endpoints. */
export const toolError = (code: ErrorCode, message: string): CallToolResult =>
  errorResult({ error: { code, message } });

/** Returns the error of an argument that cannot be sent to an endpoint. */
export function argumentError(path: string, problem: string): CallToolResult {
  const { code, message, details } = new ApiError('invalid_request', problem, {
    details: [{ path, message: problem }],
  });
  return errorResult({ error: { code, message, details } });
}

/** Converts the response of an endpoint to the result of a tool: its JSON as text, links to media, then notes. */
export function presentResponse(
  { status, body, replayed }: EndpointResponse,
  more: readonly ContentBlock[] = [],
): CallToolResult {
  if (status >= 400) return errorResult(body);
  const notes = replayed ? [textBlock(REPLAYED_NOTE)] : [];
  return { content: [jsonBlock(body), ...listFiles(body).map(toLink), ...more, ...notes] };
}

const { id, type, url, mime_type, size_bytes, derivatives } = MediaItem.shape;
const File = z.object({
  id: z.union([id, Asset.shape.id]),
  type,
  url,
  mime_type: z.nullable(mime_type),
  size_bytes,
  derivatives,
});
type File = z.infer<typeof File>;
const GenerationFiles = z.object({ object: z.literal('generation'), output: z.object({ assets: z.array(Asset) }) });

/** Returns the files that a response of one object links to: the outputs of a generation, or a media item. */
export function listFiles(body: unknown): File[] {
  const generation = GenerationFiles.safeParse(body);
  if (generation.success) return generation.data.output.assets.filter(({ removed_at }) => !removed_at);
  const file = File.safeParse(body);
  return file.success ? [file.data] : [];
}

const toLink = (file: File): ContentBlock => ({
  type: 'resource_link',
  uri: file.url,
  name: file.id,
  description: `The ${file.type}. The link is signed and expires.`,
  ...(file.mime_type === null ? {} : { mimeType: file.mime_type }),
  size: file.size_bytes,
});
