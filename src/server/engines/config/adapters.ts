import { createHttpAdapter } from '../http/http-adapter.ts';
import { httpOptions } from '../http/http-options.ts';
import { compileMapping } from '../mapping/mapping.ts';
import { createReplicateAdapter } from '../replicate/replicate-adapter.ts';
import { replicateOptions } from '../replicate/replicate-options.ts';
import { type AdapterKind, defineKind } from './adapter-kind.ts';

/** What an engine of the configuration can be. */
export const ADAPTERS = {
  replicate: defineKind({
    base_url: 'https://api.replicate.com/v1',
    needs_key: true,
    options: replicateOptions,
    create: ({ service, api_key, deadline_ms }, { model, request, output }) =>
      createReplicateAdapter({
        service,
        api_key: api_key ?? '',
        model,
        request: compileMapping(request),
        output: output === undefined ? undefined : compileMapping(output),
        deadline_ms,
      }),
  }),
  http: defineKind({
    base_url: null,
    needs_key: false,
    options: httpOptions,
    create: ({ service, api_key }, options) => createHttpAdapter({ service, api_key, options }),
  }),
} as const satisfies Record<string, AdapterKind>;
