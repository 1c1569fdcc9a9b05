import type { CallbackFormats } from '#server/studio/webhooks/order-callbacks.ts';
import { falCompat } from './fal/fal-compat.ts';
import type { CompatAdapter } from './compat-adapter.ts';
import { openAiCompat } from './openai/openai-compat.ts';
import { replicateCompat } from './replicate/replicate-compat.ts';

/** Every API that other tools can speak to this service. */
export const COMPAT_ADAPTERS: readonly CompatAdapter[] = [openAiCompat, falCompat, replicateCompat];

/** By the id of their compat adapter. */
export const CALLBACK_FORMATS: CallbackFormats = Object.fromEntries(
  COMPAT_ADAPTERS.flatMap(({ id, callback }) => (callback ? [[id, callback]] : [])),
);
