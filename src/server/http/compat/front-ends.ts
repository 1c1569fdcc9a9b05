import type { FrontEnd } from './front-end.ts';
import { openAiFrontEnd } from './openai/openai-front-end.ts';

/** Every API that other tools can speak to this service. */
export const FRONT_ENDS: readonly FrontEnd[] = [openAiFrontEnd];
