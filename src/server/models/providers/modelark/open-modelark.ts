import type { ModelArkAccount } from './modelark-errors.ts';
import type { PresetConnection } from '#server/models/providers/preset-connection.ts';

/** The region with images and video: docs.byteplus.com/en/docs/ModelArk/1520757 (read 2026-11-23). */
export const MODELARK_ADDRESS = 'https://ark.ap-southeast.bytepluses.com/api/v3';

/** With an address, `/images` and `/contents` are expected directly below it. */
export const openModelArk = ({
  address,
  api_key,
  visible_watermark = false,
  openService,
}: PresetConnection): ModelArkAccount => ({
  service: openService(address ?? MODELARK_ADDRESS),
  api_key,
  watermark: visible_watermark,
});
