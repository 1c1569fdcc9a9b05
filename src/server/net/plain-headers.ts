import type { Dispatcher } from 'undici';

/** Headers of the transport's answer, those that came several times as one. */
export const plainHeaders = (headers: Dispatcher.ResponseData['headers']): [string, string][] =>
  Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]);
