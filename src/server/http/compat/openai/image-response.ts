import { buffer } from 'node:stream/consumers';
import type { Asset, Generation } from '#contract/resources/generation.ts';
import { findStoredMedia } from '#server/studio/assets/find-stored-media.ts';
import type { CompatCall, CompatReply } from '../front-end.ts';
import { OrderError, orderHeaders } from '../place-orders.ts';

const MAX_RESPONSE_BYTES = 134_217_728;
const QUALITIES: readonly unknown[] = ['low', 'medium', 'high', 'xhigh', 'max'];
const BACKGROUNDS: readonly unknown[] = ['transparent', 'opaque'];

/** Tokens are what OpenAI bills; here an order has a price, so they are zero. */
const USAGE = {
  input_tokens: 0,
  input_tokens_details: { image_tokens: 0, text_tokens: 0 },
  output_tokens: 0,
  output_tokens_details: { image_tokens: 0, text_tokens: 0 },
  total_tokens: 0,
};

/** `ImagesResponse` of orders that are done. @throws {OrderError} */
export async function presentImages(
  call: CompatCall,
  orders: readonly Generation[],
  format: 'url' | 'b64_json',
): Promise<CompatReply> {
  const images = orders.flatMap(({ output }) => output.assets).filter(({ type }) => type === 'image');
  const [first] = images;
  if (!first) throw new OrderError(orders, 'The order has no image as its result.');
  const bytes = images.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  if (format === 'b64_json' && bytes > MAX_RESPONSE_BYTES)
    throw new OrderError(orders, 'The images are too large for b64_json. Use response_format url.');
  const data: Record<string, string>[] = [];
  for (const image of images)
    data.push(format === 'url' ? { url: image.url } : { b64_json: await readBase64(call, image) });
  const { quality, background } = orders[0]?.input ?? {};
  return {
    body: {
      created: Math.floor(Date.parse(orders[0]?.created_at ?? '') / 1_000),
      data,
      ...(first.width && first.height ? { size: `${first.width}x${first.height}` } : {}),
      ...(QUALITIES.includes(quality) ? { quality } : {}),
      ...(BACKGROUNDS.includes(background) ? { background } : {}),
      ...(first.mime_type ? { output_format: first.mime_type.replace(/^image\//, '').replace(/\+xml$/, '') } : {}),
      usage: USAGE,
    },
    headers: orderHeaders(orders),
  };
}

export async function openAsset({ deps }: Pick<CompatCall, 'deps'>, { id }: Asset) {
  const stored = await findStoredMedia(deps.db, id);
  if (!stored) throw new Error('The file of a result was deleted.');
  return deps.storage.read(stored.storage_key);
}

const readBase64 = async (call: CompatCall, asset: Asset): Promise<string> =>
  (await buffer(await openAsset(call, asset))).toString('base64');
