import type { Dispatcher } from 'undici';

/** Converts the headers of undici, joining repeated ones. */
export const plainHeaders = (headers: Dispatcher.ResponseData['headers']): [string, string][] =>
  Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]);
