import { compileMapping, type Mapping, MappingSyntaxError } from './mapping.ts';
import type { MappingContext } from './mapping-context.ts';

/** Text with its `{{ expression }}`s filled in. @throws {EngineError} as a `Mapping` does */
export type Template = (context: MappingContext) => Promise<string>;

/**
 * A text in which `{{ expression }}` stands for what a JSONata expression gives.
 * @param encode applied to what is filled in; not where the text is one placeholder and nothing else
 * @throws {MappingSyntaxError}
 */
export function compileTemplate(text: string, encode: (value: string) => string = (value) => value): Template {
  const parts = parse(text);
  const whole = parts.length === 1;
  return async (context) => {
    const written = parts.map(async (part) => {
      if (typeof part === 'string') return part;
      const value = textOf(await part(context));
      return whole ? value : encode(value);
    });
    return (await Promise.all(written)).join('');
  };
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const PLACEHOLDER = /\{\{(.+?)\}\}(?!\})/gs;

/** Text and expressions in turn. */
function parse(text: string): (string | Mapping)[] {
  const parts: (string | Mapping)[] = [];
  let from = 0;
  for (const { 0: all, 1: expression = '', index } of text.matchAll(PLACEHOLDER)) {
    if (index > from) parts.push(text.slice(from, index));
    parts.push(compileMapping(expression));
    from = index + all.length;
  }
  const rest = text.slice(from);
  if (rest.includes('{{')) throw new MappingSyntaxError('has a {{ without its }}');
  if (rest !== '' || parts.length === 0) parts.push(rest);
  return parts;
}
