import * as z from 'zod/mini';
import { createGeminiHttp } from './gemini-errors.ts';
import { ResponseLostError } from '#server/models/engine/upstream.ts';
import { createGeminiText } from './gemini-text.ts';
import type { PresetConnection, ProviderPreset } from '#server/models/providers/preset.ts';
import { GEMINI_ADDRESS, openGemini } from './gemini-server.ts';
import { GEMINI_IMAGE_MODELS } from './image-models.ts';
import { OMNI_MODELS } from './omni-models.ts';

const modelList = z.object({ models: z.array(z.object({ name: z.string() })) });

const openHttp = (connection: PresetConnection) =>
  createGeminiHttp({ service: openGemini(connection), api_key: connection.api_key });

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
  text: {
    suggestion: {
      model: 'gemini-3.5-flash-lite',
      input_usd_per_million: '0.30',
      output_usd_per_million: '2.50',
      read_on: '2026-11-23',
      source: 'https://ai.google.dev/gemini-api/docs/pricing',
    },
    createGenerate: (connection) => createGeminiText(openHttp(connection)),
  },
  async check(connection, signal) {
    const { data } = modelList.safeParse(await openHttp(connection).requestJson('/models?pageSize=1', { signal }));
    if (!data) throw new ResponseLostError('The server does not list its models. Check the address.');
    return 'The key works. Images and videos also need billing in Google AI Studio; there is no free tier for them.';
  },
};
