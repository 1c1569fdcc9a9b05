import type { Dispatcher } from 'undici';

export const plainHeaders = (headers: Dispatcher.ResponseData['headers']): [string, string][] =>
  Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]);
