import type { Mapping } from '../mapping/mapping.ts';
import type { HttpOptions } from './http-options.ts';
import { compileOptional, compileRequest } from './http-request.ts';

/** @throws {MappingSyntaxError} naming the option */
export const compileRequests = ({ submit, poll, cancel, result }: HttpOptions) => ({
  submit: compileRequest('submit', submit),
  poll: poll && compileRequest('poll', poll),
  cancel: cancel && compileRequest('cancel', cancel),
  result: result && compileRequest('result', result),
});

const RESPONSE_FIELDS = ['handle', 'state', 'error', 'progress', 'outputs', 'data', 'cost_usd', 'used'] as const;
export type ResponseMappings = Partial<Record<(typeof RESPONSE_FIELDS)[number], Mapping | undefined>>;

/** What is read of answers. @throws {MappingSyntaxError} naming the option */
export const compileResponseMappings = (options: HttpOptions): ResponseMappings =>
  Object.fromEntries(RESPONSE_FIELDS.map((name) => [name, compileOptional(name, options[name])]));
