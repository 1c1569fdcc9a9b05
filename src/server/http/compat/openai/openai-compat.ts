import type { CompatAdapter } from '../compat-adapter.ts';
import { editImages, generateImages } from './openai-images.ts';
import { listModels, readModel } from './models.ts';
import { presentOpenAiError } from './present-error.ts';
import { createSpeech } from './speech.ts';

/** What the official client says of itself. */
const CLIENT_HEADERS = [
  'arch',
  'helper-method',
  'lang',
  'os',
  'package-version',
  'retry-count',
  'runtime',
  'runtime-version',
  'timeout',
].map((name) => `x-stainless-${name}`);

/** OpenAI’s API for images and speech. Its official client needs another `baseURL` only. */
export const openAiCompat: CompatAdapter = {
  id: 'openai',
  name: 'OpenAI',
  prefix: '/compat/openai/v1',
  cors: { allowed: CLIENT_HEADERS, exposed: ['x-should-retry'] },
  rows: [
    { method: 'GET', path: '/models', permission: 'work.read', run: listModels },
    // Names of models have slashes, which some clients don’t escape.
    { method: 'GET', path: '/models/*', permission: 'work.read', run: readModel },
    {
      method: 'POST',
      path: '/images/generations',
      permission: 'work.create',
      reads: 'json',
      isCompressed: false,
      run: generateImages,
    },
    {
      method: 'POST',
      path: '/images/edits',
      permission: 'work.create',
      reads: 'json_or_form',
      isCompressed: false,
      run: editImages,
    },
    { method: 'POST', path: '/audio/speech', permission: 'work.create', reads: 'json', run: createSpeech },
  ],
  readKey: (authorization) => /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? null,
  presentError: presentOpenAiError,
};
