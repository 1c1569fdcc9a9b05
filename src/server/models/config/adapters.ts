import { createComfyUiAdapter } from '#server/models/providers/comfyui/comfyui-adapter.ts';
import { createWorkflowBuilder } from '#server/models/providers/comfyui/workflow-builder.ts';
import { createFalAdapter } from '#server/models/providers/fal/fal-adapter.ts';
import {
  falOptions,
  findOpenAiProblem,
  OPENAI_TASKS,
  openAiOptions,
  comfyUiOptions,
  replicateOptions,
} from './adapter-options.ts';
import { createHttpAdapter } from '#server/models/providers/http/http-adapter.ts';
import { httpOptions } from '#server/models/providers/http/http-options.ts';
import { compileMapping } from '#server/models/engine/mapping/mapping.ts';
import { findImageCost } from '#server/models/providers/openai/image-cost.ts';
import { createOpenAiAdapter } from '#server/models/providers/openai/openai-adapter.ts';
import { mapPredictionInput } from '#server/models/providers/replicate/prediction-input.ts';
import { createReplicateAdapter } from '#server/models/providers/replicate/replicate-adapter.ts';
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
    create: ({ service, api_key, deadlineMs }, { request, output, ...options }) =>
      createFalAdapter({
        service,
        api_key: api_key ?? '',
        deadlineMs,
        ...options,
        request: optionalMapping(request),
        output: optionalMapping(output),
      }),
  }),
  replicate: defineAdapterKind({
    base_url: 'https://api.replicate.com/v1',
    key: 'required',
    options: replicateOptions,
    create: ({ service, api_key, deadlineMs }, { model, request, output }) =>
      createReplicateAdapter({
        service,
        api_key: api_key ?? '',
        model,
        buildInput: mapPredictionInput(compileMapping(request)),
        output: optionalMapping(output),
        deadlineMs,
      }),
  }),
  comfyui: defineAdapterKind({
    base_url: 'http://127.0.0.1:8188',
    key: 'optional',
    options: comfyUiOptions,
    create: ({ service, api_key }, { workflow, ...options }) =>
      createComfyUiAdapter({ service, api_key, buildWorkflow: createWorkflowBuilder(workflow), ...options }),
  }),
  http: defineAdapterKind({
    base_url: null,
    key: 'optional',
    options: httpOptions,
    create: ({ service, api_key, openService }, options) =>
      createHttpAdapter({ service, api_key, options, other_services: options.also_at.map(openService) }),
  }),
} as const satisfies Record<string, AdapterKind>;
