import * as z from 'zod/mini';
import { asInputOf } from '#contract/task-input.ts';
import { createSyncAdapter, createSyncHttp, type SyncRequest } from './sync-adapter.ts';
import { EngineError, type ResolvedReference } from '#server/models/engine/engine.ts';
import { type UpstreamEngineJob, unreadableResponseError } from '#server/models/engine/upstream.ts';
import type { PresetModel, ProviderPreset } from '#server/models/providers/preset.ts';
import type { PresetConnection } from '#server/models/providers/preset-connection.ts';
import { createReferenceReader } from '#server/models/providers/reference-reader.ts';

const ADDRESS = 'https://api.sync.so';
const MODEL = 'sync-3';

/** Formats of sync.so/docs/compatibility-and-tips (read 2026-11-23); the service accepts others, which Sync.so may not. */
const VIDEO_TYPES = ['video/mp4', 'video/quicktime', 'video/webm'];
const AUDIO_TYPES = ['audio/mpeg', 'audio/wav', 'audio/ogg', 'audio/flac', 'audio/mp4', 'audio/aac'];

function requireFile(
  reference: ResolvedReference | undefined,
  types: readonly string[],
  message: string,
): ResolvedReference {
  if (reference && types.includes(reference.media.mime_type)) return reference;
  throw new EngineError('invalid_media', message);
}

async function buildRequest(
  job: UpstreamEngineJob,
  upload: (reference: ResolvedReference) => Promise<string>,
): Promise<SyncRequest> {
  const { sync_mode } = asInputOf('video.lipsync', job.input);
  const reader = createReferenceReader(job);
  const video = requireFile(reader.readOne('video'), VIDEO_TYPES, 'Sync.so takes MP4, MOV and WebM videos.');
  const audio = requireFile(
    reader.readOne('audio'),
    AUDIO_TYPES,
    'Sync.so takes MP3, WAV, OGG, FLAC, M4A and AAC audio.',
  );
  reader.assertAllRead();
  return {
    model: MODEL,
    input: [
      { type: 'video', assetId: await upload(video) },
      { type: 'audio', assetId: await upload(audio) },
    ],
    options: { sync_mode },
  };
}

/** All paths are directly below the address. */
const openSync = ({ address, api_key, openService }: PresetConnection) => ({
  service: openService(address ?? ADDRESS),
  api_key,
});

const lipsync: PresetModel = {
  task: 'video.lipsync',
  model: 'lipsync-v3',
  provider_model: MODEL,
  display: {
    name: 'sync-3',
    maker: 'Sync.so',
    description: 'Makes a speaker in a video speak another recording, also behind hands and in profile.',
    capabilities: ['sound'],
    max_seconds: null,
  },
  restrictions: [],
  price: {
    unit: 'minute',
    unit_price_usd: '7.98',
    read_on: '2026-11-23',
    source: 'https://sync.so/docs/models/lipsync',
    note: 'At 25 frames per second, on the smallest plan; larger plans pay from $6.42. Higher frame rates cost more.',
  },
  createAdapter: (connection) => createSyncAdapter({ ...openSync(connection), buildRequest }),
};

const modelList = z.array(z.object({ name: z.nullish(z.string()), id: z.nullish(z.string()) }));

/** Sync.so, the maker of the lip sync model. */
export const syncPreset: ProviderPreset = {
  id: 'sync',
  name: 'Sync.so',
  description: 'Lip sync by its maker.',
  key: 'required',
  key_url: 'https://sync.so/settings/api-keys',
  terms_url: 'https://sync.so/terms',
  environment_variables: ['SYNC_API_KEY'],
  default_address: ADDRESS,
  models: [lipsync],
  async check(connection, signal) {
    const { data, error } = modelList.safeParse(
      await createSyncHttp(openSync(connection)).requestJson('/v2/models', { signal }),
    );
    if (!data) throw unreadableResponseError(error);
    const names = data.flatMap(({ name, id }) => name ?? id ?? []);
    if (names.includes(MODEL)) return `The key works. Models: ${names.join(', ')}.`;
    throw new EngineError('model_unavailable', `The key works, but ${MODEL} is not part of the plan of this account.`);
  },
};
