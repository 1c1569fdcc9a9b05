import { Readable } from 'node:stream';
import type { Asset, Generation } from '#contract/resources/generation.ts';
import { findStoredMedia } from '#server/studio/assets/find-stored-media.ts';
import type { CompatCall, CompatReply } from '../compat-adapter.ts';
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
  const { quality, background } = orders[0]?.input ?? {};
  const about = {
    created: Math.floor(Date.parse(orders[0]?.created_at ?? '') / 1_000),
    ...(first.width && first.height ? { size: `${first.width}x${first.height}` } : {}),
    ...(QUALITIES.includes(quality) ? { quality } : {}),
    ...(BACKGROUNDS.includes(background) ? { background } : {}),
    ...(first.mime_type ? { output_format: first.mime_type.replace(/^image\//, '').replace(/\+xml$/, '') } : {}),
    usage: USAGE,
  };
  const headers = orderHeaders(orders);
  if (format === 'url') return { body: { ...about, data: images.map(({ url }) => ({ url })) }, headers };
  return { body: await streamImages(call, about, images), type: 'application/json; charset=utf-8', headers };
}

/** JSON as a stream, since several answers of 128 MiB would not fit into memory. Few are sent at the same time. */
async function streamImages(
  call: CompatCall,
  about: Readonly<Record<string, unknown>>,
  images: readonly Asset[],
): Promise<Readable> {
  const { deps, caller, disconnected, base64_turns } = call;
  const keys: string[] = [];
  for (const image of images) {
    const key = await findFile(call, image);
    // An error can only be sent before the first byte of the answer.
    if (!(await deps.storage.stat(key))) throw fileGoneError();
    keys.push(key);
  }
  const endTurn = await base64_turns.take(caller.key_id, disconnected);
  disconnected.addEventListener('abort', endTurn, { once: true });
  return Readable.from(writeImages(call, about, keys), { highWaterMark: 1 }).once('close', endTurn);
}

async function* writeImages(
  { deps: { storage } }: CompatCall,
  about: Readonly<Record<string, unknown>>,
  keys: readonly string[],
): AsyncGenerator<string> {
  yield `${JSON.stringify(about).slice(0, -1)},"data":[`;
  for (const [index, key] of keys.entries()) {
    yield `${index === 0 ? '' : ','}{"b64_json":"`;
    yield* encodeBase64(await storage.read(key));
    yield '"}';
  }
  yield ']}';
}

const BASE64_GROUP_BYTES = 3;

async function* encodeBase64(source: Readable): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of source as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % BASE64_GROUP_BYTES);
    rest = bytes.subarray(whole);
    if (whole > 0) yield bytes.toString('base64', 0, whole);
  }
  yield rest.toString('base64');
}

const fileGoneError = (): Error => new Error('The file of a result was deleted.');

async function findFile({ deps }: Pick<CompatCall, 'deps'>, { id }: Asset): Promise<string> {
  const stored = await findStoredMedia(deps.db, id);
  if (!stored) throw fileGoneError();
  return stored.storage_key;
}

export const openAsset = async (call: Pick<CompatCall, 'deps'>, asset: Asset): Promise<Readable> =>
  call.deps.storage.read(await findFile(call, asset));
