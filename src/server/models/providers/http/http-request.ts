import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { type ResolvedReference, configurationError } from '#server/models/engine/engine.ts';
import { withFileFunction } from '#server/models/engine/mapping/build-input-with-files.ts';
import { MappingSyntaxError } from '#server/models/engine/mapping/expression.ts';
import { compileMapping, type Mapping } from '#server/models/engine/mapping/mapping.ts';
import type { MappingContext } from '#server/models/engine/mapping/mapping-context.ts';
import { compileTextTemplate, type TextTemplate } from '#server/models/engine/mapping/placeholders.ts';
import { isRecord } from '#server/models/engine/upstream-errors.ts';
import type { UpstreamRequest } from '#server/models/engine/upstream-http.ts';
import type { HttpOptions, HttpRequestOptions } from './http-options.ts';

/** @throws {EngineError} when the expressions return nothing that can be sent */
export type HttpRequest = (
  context: MappingContext,
  references?: readonly ResolvedReference[],
) => Promise<{ path: string; init: UpstreamRequest }>;

/** @throws {MappingSyntaxError} naming the option */
function compileRequest(name: string, options: HttpRequestOptions): HttpRequest {
  const compilePart = (part: string, text: string, encode?: (value: string) => string) =>
    withOptionName(`${name}.${part}`, () => compileTextTemplate(text, encode));
  const path = compilePart('path', options.path, encodeURIComponent);
  const query = Object.entries(options.query).map(([key, text]) => [key, compilePart(`query.${key}`, text)] as const);
  const headers = Object.entries(options.headers).map(
    ([key, text]) => [key, compilePart(`headers.${key}`, text)] as const,
  );
  const body = compileOptional(`${name}.body`, options.body);
  const form = compileOptional(`${name}.form`, options.form);
  return async (context, references = []) => {
    const content = form ? { body: await fillForm(form, context, references) } : { json: await body?.(context) };
    return {
      path: withQuery(await path(context), await renderTemplates(query, context)),
      init: { method: options.method, headers: await renderTemplates(headers, context), ...content },
    };
  };
}

/** @throws {MappingSyntaxError} whose message begins with the option's name */
const compileOptional = (name: string, expression: string | undefined): Mapping | undefined =>
  expression === undefined ? undefined : withOptionName(name, () => compileMapping(expression));

function withOptionName<T>(name: string, compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof MappingSyntaxError)) throw error;
    throw new MappingSyntaxError(`has “${name}”, which ${error.message}`, { cause: error });
  }
}

async function renderTemplates(
  templates: readonly (readonly [string, TextTemplate])[],
  context: MappingContext,
): Promise<Record<string, string>> {
  const rendered = await Promise.all(templates.map(async ([key, template]) => [key, await template(context)] as const));
  return Object.fromEntries(rendered.filter(([, value]) => value !== ''));
}

function withQuery(path: string, query: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(query).toString();
  return text === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${text}`;
}

const FILE = '\u0000file\u0000';

async function fillForm(
  mapping: Mapping,
  context: MappingContext,
  references: readonly ResolvedReference[],
): Promise<FormData> {
  const fields = await mapping(withFileFunction(context, references, ({ path }) => `${FILE}${path}`));
  if (!isRecord(fields)) throw configurationError('The form of a request is not an object.');
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    for (const part of [value].flat()) await appendField(form, name, part, references);
  }
  return form;
}

async function appendField(
  form: FormData,
  name: string,
  part: unknown,
  references: readonly ResolvedReference[],
): Promise<void> {
  if (part === null || part === undefined) return;
  const text = typeof part === 'string' ? part : JSON.stringify(part);
  const reference = text.startsWith(FILE) && references.find(({ path }) => path === text.slice(FILE.length));
  if (!reference) return form.append(name, text);
  form.append(name, await openAsBlob(reference.file, { type: reference.media.mime_type }), basename(reference.file));
}

/** @throws {MappingSyntaxError} naming the option */
export const compileRequests = ({ submit, poll, cancel, result }: HttpOptions) => ({
  submit: compileRequest('submit', submit),
  poll: poll && compileRequest('poll', poll),
  cancel: cancel && compileRequest('cancel', cancel),
  result: result && compileRequest('result', result),
});

const RESPONSE_FIELDS = ['handle', 'state', 'error', 'progress', 'outputs', 'data', 'cost_usd', 'used'] as const;
export type ResponseMappings = Partial<Record<(typeof RESPONSE_FIELDS)[number], Mapping | undefined>>;

/** @throws {MappingSyntaxError} naming the option */
export const compileResponseMappings = (options: HttpOptions): ResponseMappings =>
  Object.fromEntries(RESPONSE_FIELDS.map((name) => [name, compileOptional(name, options[name])]));
