/** A queue document of fal around the schemas of a made-up model, named so that no rule can go by names. */
export const falDocument = (
  properties: Readonly<Record<string, unknown>>,
  { required = [], schemas = {}, output = {}, order }: FalDocumentOptions = {},
) => ({
  openapi: '3.0.4',
  components: {
    schemas: {
      QueueStatus: { type: 'object', properties: { status: { type: 'string' } } },
      LoopRequest: {
        type: 'object',
        properties,
        required,
        ...(order ? { 'x-fal-order-properties': order } : {}),
      },
      LoopResult: { type: 'object', properties: output },
      ...schemas,
    },
  },
  paths: {
    '/acme/loops/requests/{request_id}/status': {
      get: { responses: { 200: json('#/components/schemas/QueueStatus') } },
    },
    '/acme/loops/requests/{request_id}/cancel': {
      put: { responses: { 200: json('#/components/schemas/QueueStatus') } },
    },
    '/acme/loops': {
      post: {
        requestBody: json('#/components/schemas/LoopRequest'),
        responses: { 200: json('#/components/schemas/QueueStatus') },
      },
    },
    '/acme/loops/requests/{request_id}': { get: { responses: { 200: json('#/components/schemas/LoopResult') } } },
  },
});

interface FalDocumentOptions {
  required?: readonly string[];
  schemas?: Readonly<Record<string, unknown>>;
  output?: Readonly<Record<string, unknown>>;
  order?: readonly string[];
}

const json = ($ref: string) => ({ content: { 'application/json': { schema: { $ref } } } });
