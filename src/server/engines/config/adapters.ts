import { createComfyUiAdapter } from '../comfyui/comfyui-adapter.ts';
import { comfyUiOptions } from '../comfyui/comfyui-options.ts';
import { createFalAdapter } from '../fal/fal-adapter.ts';
import { falOptions } from '../fal/fal-options.ts';
import { createHttpAdapter } from '../http/http-adapter.ts';
import { httpOptions } from '../http/http-options.ts';
import { compileMapping } from '../mapping/mapping.ts';
import { findImageCost } from '../openai/image-cost.ts';
import { createOpenAiAdapter } from '../openai/openai-adapter.ts';
import { findOpenAiProblem, OPENAI_TASKS, openAiOptions } from '../openai/openai-options.ts';
import { createReplicateAdapter } from '../replicate/replicate-adapter.ts';
import { replicateOptions } from '../replicate/replicate-options.ts';
import { type AdapterKind, defineAdapterKind } from './adapter-kind.ts';

const optionalMapping = (expression: string | undefined) =>
  expression === undefined ? undefined : compileMapping(expression);

export const ADAPTERS = {
  openai: defineAdapterKind({
    base_url: 'https://api.openai.com/v1',
    key: 'at_usual_address',
    tasks: OPENAI_TASKS,
    findProblem: findOpenAiProblem,
    options: openAiOptions,
    create: ({ service, api_key }, { request, ...options }) =>
      createOpenAiAdapter({
        service,
        api_key,
        ...options,
        request: optionalMapping(request),
        computeCost: findImageCost(options.model, service.base_url),
      }),
  }),
  fal: defineAdapterKind({
    base_url: 'https://queue.fal.run',
    key: 'required',
    options: falOptions,
    create: ({ service, api_key, deadline_ms }, { request, output, ...options }) =>
      createFalAdapter({
        service,
        api_key: api_key ?? '',
        deadline_ms,
        ...options,
        request: optionalMapping(request),
        output: optionalMapping(output),
      }),
  }),
  replicate: defineAdapterKind({
    base_url: 'https://api.replicate.com/v1',
    key: 'required',
    options: replicateOptions,
    create: ({ service, api_key, deadline_ms }, { model, request, output }) =>
      createReplicateAdapter({
        service,
        api_key: api_key ?? '',
        model,
        request: compileMapping(request),
        output: optionalMapping(output),
        deadline_ms,
      }),
  }),
  comfyui: defineAdapterKind({
    base_url: 'http://127.0.0.1:8188',
    key: 'optional',
    options: comfyUiOptions,
    create: ({ service, api_key }, options) => createComfyUiAdapter({ service, api_key, ...options }),
  }),
  http: defineAdapterKind({
    base_url: null,
    key: 'optional',
    options: httpOptions,
    create: ({ service, api_key }, options) => createHttpAdapter({ service, api_key, options }),
  }),
} as const satisfies Record<string, AdapterKind>;
