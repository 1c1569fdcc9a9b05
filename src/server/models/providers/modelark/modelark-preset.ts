import * as z from 'zod/mini';
import { createModelArkHttp } from './modelark-errors.ts';
import { unreadableResponseError } from '#server/models/engine/upstream.ts';
import { createChatCompletions } from '#server/models/text/chat-completions.ts';
import type { ProviderPreset } from '#server/models/providers/preset.ts';
import { MODELARK_ADDRESS, openModelArk } from './open-modelark.ts';
import { MODELARK_SEEDANCE_MODELS } from './modelark-seedance.ts';
import { SEEDREAM_MODELS } from './seedream.ts';

const taskList = z.object({ total: z.int() });

/** BytePlus ModelArk, where ByteDance’s Seedream and Seedance are hosted. */
export const modelArkPreset: ProviderPreset = {
  id: 'modelark',
  name: 'BytePlus ModelArk',
  description: 'ByteDance’s own service: Seedream images and Seedance video at its list price.',
  key: 'required',
  key_url: 'https://console.byteplus.com/ark',
  terms_url: 'https://docs.byteplus.com/en/docs/legal',
  environment_variables: ['ARK_API_KEY'],
  default_address: MODELARK_ADDRESS,
  has_visible_watermark: true,
  models: [...SEEDREAM_MODELS, ...MODELARK_SEEDANCE_MODELS],
  text: {
    suggestion: null,
    createGenerate: (connection) =>
      createChatCompletions(createModelArkHttp(openModelArk(connection)), {
        limit_field: 'max_tokens',
        // Seed models think by default: docs.byteplus.com/en/docs/ModelArk/1449737 (read 2026-11-23).
        parameters: (model) => (/seed-/.test(model) ? { thinking: { type: 'disabled' } } : {}),
      }),
  },
  async check(connection, signal) {
    const http = createModelArkHttp(openModelArk(connection));
    const response = await http.requestJson('/contents/generations/tasks?page_num=1&page_size=1', { signal });
    const { data, error } = taskList.safeParse(response);
    if (!data) throw unreadableResponseError(error);
    const tasks = `${data.total} video ${data.total === 1 ? 'task' : 'tasks'}`;
    return `The key works. It sees ${tasks} of the last 7 days. Activate each model in the ModelArk console before its first use.`;
  },
};
