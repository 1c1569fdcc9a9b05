import type { ContentBlock } from '@modelcontextprotocol/server';
import type { McpCall } from './mcp-tool.ts';
import { listFiles, textBlock } from './present-result.ts';

const MAX_IMAGES = 4;
const MAX_IMAGE_BYTES = 1_048_576;

/** Describes the argument `include_images`. */
export const INCLUDE_IMAGES_SCHEMA = {
  type: 'boolean',
  default: false,
  description: `Also return pictures to look at: thumbnails where they exist, at most ${MAX_IMAGES} of 1 MiB.`,
} as const;

/** Reads pictures of the files of a response, small ones first; a picture that is too large or gone is left out. */
export async function readInlineImages(call: McpCall, body: unknown): Promise<ContentBlock[]> {
  const urls = listFiles(body).flatMap(({ type, url, mime_type, size_bytes, derivatives }) => {
    const thumbnail = derivatives?.thumbnails.at(-1);
    if (thumbnail) return [{ url: thumbnail.url, mime_type: 'image/webp' }];
    return type === 'image' && mime_type !== null && size_bytes <= MAX_IMAGE_BYTES ? [{ url, mime_type }] : [];
  });
  if (urls.length > 0) await call.takeBase64Turn();
  const blocks: ContentBlock[] = [];
  for (const { url, mime_type } of urls.slice(0, MAX_IMAGES)) {
    const bytes = await readMedia(call, url);
    if (bytes) blocks.push({ type: 'image', data: bytes.toString('base64'), mimeType: mime_type });
  }
  return blocks.length > 0 ? blocks : [textBlock('There are no pictures small enough to include. Use the links.')];
}

/** Follows a signed link of this service; null if it redirects to the store, is gone or too large. */
async function readMedia({ app, signal }: McpCall, link: string): Promise<Buffer | null> {
  const { pathname, search } = new URL(link);
  const { statusCode, rawPayload } = await app.inject({ method: 'GET', url: `${pathname}${search}`, signal });
  return statusCode === 200 && rawPayload.length <= MAX_IMAGE_BYTES ? rawPayload : null;
}
