import type { FrontEnd } from './front-end.ts';

/** Every API that other tools can speak to this service. */
export const FRONT_ENDS: readonly FrontEnd[] = [];
