import { randomUUID } from 'node:crypto';
import { describeUpstreamConformance } from '#server/models/engine/testing/upstream-conformance.ts';
import { createFakeSyncHandler, createFakeSyncState } from './testing/fake-sync-server.ts';
import { createSyncAdapter } from './sync-adapter.ts';

const account = createFakeSyncState();
for (const id of ['video-asset', 'audio-asset'])
  account.assets.push({ id, name: id, url: id, bytes: Buffer.from(randomUUID()), type: 'video/mp4' });

describeUpstreamConformance('sync', {
  createHandler: (upstream) => createFakeSyncHandler(upstream, account),
  createAdapter: (options) =>
    createSyncAdapter({
      ...options,
      buildRequest: async () => ({
        model: 'sync-3',
        input: [
          { type: 'video', assetId: 'video-asset' },
          { type: 'audio', assetId: 'audio-asset' },
        ],
        options: { sync_mode: 'cut_off' },
      }),
    }),
  job: { task: 'video.lipsync', model: 'lipsync-v3', input: {} },
  has_no_content_filter: true,
});
