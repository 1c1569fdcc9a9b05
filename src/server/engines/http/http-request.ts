import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { EngineError, type ResolvedReference } from '../engine.ts';
import { withFileFunction } from '../mapping/file-function.ts';
import { MappingSyntaxError } from '../mapping/expression.ts';
import { compileMapping, type Mapping } from '../mapping/mapping.ts';
import type { MappingContext } from '../mapping/mapping-context.ts';
import { compileTextTemplate, type TextTemplate } from '../mapping/template.ts';
import { isRecord } from '../upstream-errors.ts';
import type { UpstreamRequest } from '../upstream-http.ts';
import type { HttpRequestOptions } from './http-options.ts';

/** A request, compiled. @throws {EngineError} where the operator's expressions give nothing that can be sent */
export type HttpRequest = (
  context: MappingContext,
  references?: readonly ResolvedReference[],
) => Promise<{ path: string; init: UpstreamRequest }>;

/** @param name of the request in the options, for the error @throws {MappingSyntaxError} */
export function compileRequest(name: string, options: HttpRequestOptions): HttpRequest {
  const at = (part: string, text: string, encode?: (value: string) => string) =>
    withOptionName(`${name}.${part}`, () => compileTextTemplate(text, encode));
  const path = at('path', options.path, encodeURIComponent);
  const query = Object.entries(options.query).map(([key, text]) => [key, at(`query.${key}`, text)] as const);
  const headers = Object.entries(options.headers).map(([key, text]) => [key, at(`headers.${key}`, text)] as const);
  const body = compileOptional(`${name}.body`, options.body);
  const form = compileOptional(`${name}.form`, options.form);
  return async (context, references = []) => {
    const sent = form ? { body: await fillForm(form, context, references) } : { json: await body?.(context) };
    return {
      path: withQuery(await path(context), await renderTemplates(query, context)),
      init: { method: options.method, headers: await renderTemplates(headers, context), ...sent },
    };
  };
}

/** An expression of the options, or none. @throws {MappingSyntaxError} that begins with where it stands */
export const compileOptional = (name: string, expression: string | undefined): Mapping | undefined =>
  expression === undefined ? undefined : withOptionName(name, () => compileMapping(expression));

function withOptionName<T>(name: string, compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof MappingSyntaxError)) throw error;
    throw new MappingSyntaxError(`has “${name}”, which ${error.message}`, { cause: error });
  }
}

/** What is filled in empty is left out. */
async function renderTemplates(
  templates: readonly (readonly [string, TextTemplate])[],
  context: MappingContext,
): Promise<Record<string, string>> {
  const filled = await Promise.all(templates.map(async ([key, template]) => [key, await template(context)] as const));
  return Object.fromEntries(filled.filter(([, value]) => value !== ''));
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
  if (!isRecord(fields)) throw unsendableRequestError('The form of a request is no object.');
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
  const found = text.startsWith(FILE) && references.find(({ path }) => path === text.slice(FILE.length));
  if (!found) return form.append(name, text);
  form.append(name, await openAsBlob(found.file, { type: found.media.mime_type }), basename(found.file));
}

const unsendableRequestError = (detail: string): EngineError =>
  new EngineError('engine_failed', 'How this engine is set up does not fit the request. Tell the operator.', {
    cause: new Error(detail),
  });
