import * as z from 'zod/mini';
import { createGeminiHttp } from '../../gemini/gemini-errors.ts';
import { ResponseLostError } from '../../upstream.ts';
import type { ProviderPreset } from '../preset.ts';
import { GEMINI_ADDRESS, openGemini } from './gemini-server.ts';
import { GEMINI_IMAGE_MODELS } from './image-models.ts';
import { OMNI_MODELS } from './omni-models.ts';

const modelList = z.object({ models: z.array(z.object({ name: z.string() })) });

/** Nano Banana and Gemini Omni through the Gemini API. */
export const geminiPreset: ProviderPreset = {
  id: 'gemini',
  name: 'Google Gemini',
  description: 'Nano Banana for images and edits, Gemini Omni for clips with sound.',
  key: 'required',
  key_url: 'https://aistudio.google.com/apikey',
  terms_url: 'https://ai.google.dev/gemini-api/terms',
  environment_variables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  default_address: GEMINI_ADDRESS,
  models: [...GEMINI_IMAGE_MODELS, ...OMNI_MODELS],
  async check(connection, signal) {
    const http = createGeminiHttp({ service: openGemini(connection), api_key: connection.api_key });
    const { data } = modelList.safeParse(await http.requestJson('/models?pageSize=1', { signal }));
    if (!data) throw new ResponseLostError('The server does not list its models. Check the address.');
    return 'The key works. Images and videos also need billing in Google AI Studio; there is no free tier for them.';
  },
};
