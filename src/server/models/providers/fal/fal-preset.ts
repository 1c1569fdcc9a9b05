import * as z from 'zod/mini';
import { dollarsToMicroUsd, formatMoney } from '#contract/money/money.ts';
import { addedFalModels } from './added-fal-models.ts';
import { falHeaders } from './fal-adapter.ts';
import { falBills } from './fal-bills.ts';
import { fetchFalPrice } from './fal-cost.ts';
import { mapFalError } from './fal-errors.ts';
import { ResponseLostError } from '#server/models/engine/upstream.ts';
import { createUpstreamHttp } from '#server/models/engine/upstream-http.ts';
import type { ProviderPreset } from '#server/models/providers/preset.ts';
import { FAL_IMAGE_MODELS } from './image-models.ts';
import { FAL_QUEUE, openFal } from './open-fal.ts';
import { FAL_VIDEO_MODELS } from './video-models.ts';

const CHECKED_ENDPOINT = 'fal-ai/nano-banana-pro';
/** What fal returns for an announced upload. */
const upload = z.object({ upload_url: z.string() });

/** fal hosts models of many makers behind one key and one queue. */
export const falPreset: ProviderPreset = {
  id: 'fal',
  name: 'fal',
  description: 'One key for all image, video and lip sync models here.',
  key: 'required',
  key_url: 'https://fal.ai/dashboard/keys',
  terms_url: 'https://fal.ai/legal/terms-of-service',
  environment_variables: ['FAL_KEY', 'FAL_API_KEY'],
  default_address: FAL_QUEUE,
  models: [...FAL_IMAGE_MODELS, ...FAL_VIDEO_MODELS],
  bills: falBills,
  added: addedFalModels,
  /** Reads a price, which needs the key, and announces an upload, which fal refuses to locked accounts. */
  async check(connection, signal) {
    const { platform, queue, storage_url } = openFal(connection);
    const key = { api_key: connection.api_key, headers: falHeaders, mapError: mapFalError };
    const price = await fetchFalPrice(createUpstreamHttp({ ...key, service: platform }), CHECKED_ENDPOINT, signal);
    const announced = await createUpstreamHttp({ ...key, service: queue }).requestUrl(
      `${storage_url}/storage/upload/initiate?storage_type=fal-cdn-v3`,
      {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ content_type: 'image/png', file_name: 'check.png' }),
        with_credentials: true,
        timeoutMs: 10_000,
        signal,
      },
    );
    const { success } = upload.safeParse(await announced.json().catch(() => null));
    if (!success) throw new ResponseLostError('The server does not accept uploads as fal does. Check the address.');
    const amount = price && dollarsToMicroUsd(price.unit_price);
    return price && amount !== null
      ? `The key works. fal’s price of Nano Banana Pro is ${formatMoney(amount)} (unit: ${price.unit}).`
      : 'The key works.';
  },
};
