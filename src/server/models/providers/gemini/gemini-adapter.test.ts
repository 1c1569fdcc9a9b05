import { describeUpstreamConformance } from '#server/models/engine/testing/upstream-conformance.ts';
import { createFakeGeminiHandler } from './testing/fake-gemini-server.ts';
import { createGeminiImageAdapter, createOmniAdapter } from './gemini-adapter.ts';

const imagePrices = { input: 2, text_output: 12, image_output: 120 };
const omniPrices = { input: 1.5, text_output: 9, video_output: 12 };

describeUpstreamConformance('Gemini’s generateContent', {
  createHandler: (upstream) => createFakeGeminiHandler(upstream),
  createAdapter: (options) =>
    createGeminiImageAdapter({ ...options, model: 'gemini-3-pro-image', has_sizes: true, prices: imagePrices }),
  job: {
    task: 'image.create',
    model: 'imgmodel-b-pro',
    input: { prompt: 'A cat', aspect_ratio: '16:9', resolution: '2K', output_format: 'png' },
  },
  immediate: true,
  returns_urls: false,
});

describeUpstreamConformance('Gemini’s Interactions API', {
  createHandler: (upstream) => createFakeGeminiHandler(upstream),
  createAdapter: (options) => createOmniAdapter({ ...options, model: 'gemini-omni-1.2-flash', prices: omniPrices }),
  job: {
    task: 'video.create',
    model: 'omni-video',
    input: { prompt: 'A cat', aspect_ratio: '9:16', duration_seconds: 4, seed: null },
  },
  cancelable_states: ['queued', 'running'],
});
