import type { Generation } from '#contract/resources/generation.ts';
import { expect, it } from 'vitest';
import { fixedOffering } from '#server/models/catalog/offering.ts';
import { buildFalCallback } from './callback.ts';

const generation = {
  id: 'gen_1',
  task: 'image.create',
  model: 'imgmodel-b-2',
  status: 'succeeded',
  error: null,
  output: {
    data: null,
    assets: [
      {
        id: 'ast_1',
        type: 'image',
        url: 'https://example.com/media/ast_1',
        mime_type: 'image/jpeg',
        size_bytes: 9,
        width: 4,
        height: 2,
        duration_seconds: null,
      },
    ],
  },
} as unknown as Generation;
const build = (changes: Partial<Generation>) => {
  const { body, headers } = buildFalCallback(fixedOffering({ engines: [] }).current(), { ...generation, ...changes });
  return { body: JSON.parse(body) as unknown, headers };
};
const request = { request_id: 'gen_1', gateway_request_id: 'gen_1' };

it('is the result as the queue has it', () => {
  expect(build({})).toEqual({
    body: {
      ...request,
      status: 'OK',
      payload: {
        images: [
          {
            url: 'https://example.com/media/ast_1',
            content_type: 'image/jpeg',
            file_name: 'ast_1.jpg',
            file_size: 9,
            width: 4,
            height: 2,
          },
        ],
      },
    },
    headers: { 'x-fal-webhook-request-id': 'gen_1' },
  });
});

it('is an error with the body that the result has', () => {
  const error = { code: 'content_refused', message: 'Refused.', retryable: false };
  expect(build({ status: 'failed', error }).body).toMatchObject({
    ...request,
    status: 'ERROR',
    error: 'Refused.',
    payload: { detail: [{ loc: ['body'], msg: 'Refused.', type: 'content_policy_violation' }] },
  });
  expect(build({ status: 'canceled' }).body).toMatchObject({
    status: 'ERROR',
    payload: { detail: 'The order was canceled.' },
  });
});
