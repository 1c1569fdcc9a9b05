import * as z from 'zod/mini';
import { unreadableResponseError } from '#server/models/engine/upstream.ts';
import type { ProviderPreset } from '#server/models/providers/preset.ts';
import { addedReplicateModels } from './added-replicate-models.ts';
import { openReplicateHttp } from './define-replicate-model.ts';
import { GPT_IMAGE_MODELS } from './gpt-image.ts';
import { OTHER_IMAGE_MODELS } from './other-images.ts';
import { REPLICATE_SEEDANCE_MODELS } from './replicate-seedance.ts';

/** “Get the authenticated account” of Replicate’s HTTP API. */
const accountSchema = z.object({ type: z.string(), username: z.string() });

export const replicatePreset: ProviderPreset = {
  id: 'replicate',
  name: 'Replicate',
  description: 'Image and video models of many makers, billed per image or second.',
  key: 'required',
  key_url: 'https://replicate.com/account/api-tokens',
  terms_url: 'https://replicate.com/terms',
  environment_variables: ['REPLICATE_API_TOKEN'],
  default_address: 'https://api.replicate.com/v1',
  models: [...GPT_IMAGE_MODELS, ...OTHER_IMAGE_MODELS, ...REPLICATE_SEEDANCE_MODELS],
  added: addedReplicateModels,
  async check(connection, signal) {
    const { data, error } = accountSchema.safeParse(
      await openReplicateHttp(connection).requestJson('/account', { signal }),
    );
    if (!data) throw unreadableResponseError(error);
    return `The key works. It belongs to the ${data.type === 'organization' ? 'organization' : 'user'} ${data.username}.`;
  },
};
