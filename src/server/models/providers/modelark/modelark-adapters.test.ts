import { describeUpstreamConformance } from '#server/models/engine/testing/upstream-conformance.ts';
import { createFakeModelArkHandler } from './testing/fake-modelark-server.ts';
import { createModelArkImages } from './seedream.ts';
import { createModelArkVideos } from './modelark-videos.ts';

const input = { prompt: 'a pear' };

describeUpstreamConformance('modelark images', {
  createHandler: createFakeModelArkHandler,
  createAdapter: (options) =>
    createModelArkImages({
      ...options,
      watermark: false,
      buildRequest: async () => ({
        model: 'dola-seedream-5-0-pro-260628',
        prompt: 'a pear',
        size: '1024x1024',
        output_format: 'png',
        response_format: 'b64_json',
      }),
      computeCost: () => 45_000n,
    }),
  job: { task: 'image.create', model: 'imgmodel-d-5-pro', input },
  immediate: true,
  returns_urls: false,
});

describeUpstreamConformance('modelark videos', {
  createHandler: createFakeModelArkHandler,
  createAdapter: (options) =>
    createModelArkVideos({
      ...options,
      watermark: false,
      deadlineMs: 60_000,
      buildRequest: async () => ({
        model: 'dreamina-seedance-2-0-260128',
        content: [{ type: 'text', text: 'a pear' }],
        resolution: '720p',
        ratio: '16:9',
        duration: 5,
        generate_audio: true,
      }),
      computeCost: () => 756_000n,
    }),
  job: { task: 'video.create', model: 'vidmodel-c-2', input },
  cancelable_states: ['queued'],
});
