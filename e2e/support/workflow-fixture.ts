import { expect } from '@playwright/test';
import { isActive } from '#contract/statuses.ts';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import type { WorkflowDefinition } from '#contract/workflows/workflow-definition.ts';
import { call } from './api-client.ts';
import type { Service } from './service.ts';

type Target = Pick<Service, 'url' | 'key'>;

const mediaField = (kind: 'image' | 'video', title: string) => ({ type: 'object', 'x-media': kind, title });

/** Creates an image and a cover of it. The step between them trims a video past its end, and fails. */
export const FAILING_WORKFLOW: WorkflowDefinition = {
  slug: 'breaks',
  name: 'Breaks in the middle',
  description: 'Cuts where there is nothing to cut.',
  input_schema: {
    type: 'object',
    properties: {
      prompt: { type: 'string', title: 'Prompt' },
      video: mediaField('video', 'Video'),
      poster: { type: 'boolean', title: 'Also a poster' },
    },
    required: ['prompt', 'video'],
  },
  example_input: { prompt: 'A fox in the snow' },
  steps: [
    {
      key: 'picture',
      name: 'Picture',
      task: 'image.create',
      model: 'imgmodel-b-2-lite',
      input: { prompt: '{{ input.prompt }}' },
    },
    {
      key: 'cut',
      name: 'Cut',
      task: 'video.trim',
      needs: ['picture'],
      input: { video: '{{ input.video }}', start_seconds: 50, end_seconds: 60 },
    },
    { key: 'still', name: 'Still', task: 'video.extract_frame', input: { video: '{{ steps.cut.output.assets[0] }}' } },
    {
      key: 'poster',
      name: 'Poster',
      task: 'video.extract_frame',
      needs: ['picture'],
      when: 'input.poster',
      input: { video: '{{ input.video }}' },
    },
  ],
};

/** Creates an image, then trims a video, which fails where the start is past the end of the video. */
export const TRIMS: WorkflowDefinition = {
  slug: 'trims',
  name: 'Image and trimmed video',
  description: '',
  input_schema: {
    type: 'object',
    properties: {
      start: { type: 'number', default: 0, title: 'Start' },
      prompt: { type: 'string', title: 'Prompt' },
      video: mediaField('video', 'Video'),
    },
    required: ['prompt', 'video'],
  },
  steps: [
    {
      key: 'image',
      name: 'Image',
      task: 'image.create',
      model: 'imgmodel-b-2-lite',
      input: { prompt: '{{ input.prompt }}' },
    },
    {
      key: 'trim',
      name: 'Trim',
      task: 'video.trim',
      needs: ['image'],
      input: { video: '{{ input.video }}', start_seconds: '{{ input.start }}', end_seconds: '{{ input.start + 1 }}' },
    },
  ],
};

/** A clip that takes long to create, so that there is time to watch and to cancel it. */
export const SLOW_WORKFLOW: WorkflowDefinition = {
  slug: 'slow',
  name: 'A long clip',
  description: '',
  input_schema: { type: 'object', properties: {} },
  steps: [
    {
      key: 'clip',
      name: 'Clip',
      task: 'video.create',
      model: 'vidmodel-c-2.5',
      input: { prompt: 'A long pan over dunes', duration_seconds: 30, resolution: '1080p' },
    },
    {
      key: 'sound',
      name: 'Sound',
      task: 'video.extract_audio',
      input: { video: '{{ steps.clip.output.assets[0] }}' },
    },
  ],
};

export async function ensureStarter(service: Target, definition: WorkflowDefinition): Promise<void> {
  const { data } = await call<{ data: { slug: string }[] }>(service, 'GET', '/v1/workflow-starters');
  if (!data.some(({ slug }) => slug === definition.slug))
    await call(service, 'POST', '/v1/workflow-starters', definition);
}

export const postRun = (service: Target, starter_slug: string, input: Record<string, unknown>) =>
  call<WorkflowRun>(service, 'POST', '/v1/workflow-runs', { starter_slug, input });

export const fetchRun = (service: Target, id: string) => call<WorkflowRun>(service, 'GET', `/v1/workflow-runs/${id}`);

export async function waitForRunEnd(service: Target, id: string): Promise<WorkflowRun> {
  await expect.poll(async () => isActive((await fetchRun(service, id)).status), { intervals: [200] }).toBe(false);
  return fetchRun(service, id);
}
