import { MappingSyntaxError, parseExpression } from './expression.ts';
import { findExpressionEnd } from './find-expression-end.ts';
import type { MappingContext } from './mapping-context.ts';
import { compileMapping, type Mapping } from './mapping.ts';

export type TemplatePart = string | { expression: string };

/** Splits a text into literals and unparsed expressions. @throws {MappingSyntaxError} when an expression has no end */
export function splitPlaceholders(text: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let from = 0;
  for (let open = text.indexOf('{{'); open !== -1; open = text.indexOf('{{', from)) {
    const close = findExpressionEnd(text, open + 2) ?? findFirstClose(text, open + 2);
    if (open > from) parts.push(text.slice(from, open));
    parts.push({ expression: text.slice(open + 2, close) });
    from = close + 2;
  }
  if (from < text.length || parts.length === 0) parts.push(text.slice(from));
  return parts;
}

/** When an expression has no end, parsing it gives a better message, such as a missing quote. */
function findFirstClose(text: string, from: number): number {
  const close = text.indexOf('}}', from);
  if (close === -1) throw new MappingSyntaxError('has a {{ without its }}');
  parseExpression(text.slice(from, close));
  return close;
}

/** @throws {EngineError} like a `Mapping` */
export type TextTemplate = (context: MappingContext) => Promise<string>;

/** @param encode applied to each value, unless the text is one placeholder only @throws {MappingSyntaxError} */
export function compileTextTemplate(text: string, encode: (value: string) => string = (value) => value): TextTemplate {
  const parts = parseTemplate(text);
  const isSingle = parts.length === 1;
  return async (context) => {
    const rendered = parts.map(async (part) => {
      if (typeof part === 'string') return part;
      const value = toText(await part(context));
      return isSingle ? value : encode(value);
    });
    return (await Promise.all(rendered)).join('');
  };
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** @throws {MappingSyntaxError} */
export const parseTemplate = (text: string): (string | Mapping)[] =>
  splitPlaceholders(text).map((part) => (typeof part === 'string' ? part : compileMapping(part.expression)));
