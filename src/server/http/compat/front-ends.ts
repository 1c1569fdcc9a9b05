import type { CallbackFormats } from '#server/studio/webhooks/order-callbacks.ts';
import { falFrontEnd } from './fal/fal-front-end.ts';
import type { FrontEnd } from './front-end.ts';
import { openAiFrontEnd } from './openai/openai-front-end.ts';
import { replicateFrontEnd } from './replicate/replicate-front-end.ts';

/** Every API that other tools can speak to this service. */
export const FRONT_ENDS: readonly FrontEnd[] = [openAiFrontEnd, falFrontEnd, replicateFrontEnd];

/** By the id of their front end. */
export const CALLBACK_FORMATS: CallbackFormats = Object.fromEntries(
  FRONT_ENDS.flatMap(({ id, callback }) => (callback ? [[id, callback]] : [])),
);
