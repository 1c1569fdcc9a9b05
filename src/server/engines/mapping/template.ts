import { compileMapping, type Mapping } from './mapping.ts';
import type { MappingContext } from './mapping-context.ts';
import { splitPlaceholders } from './placeholders.ts';

/** @throws {EngineError} like a `Mapping` */
export type TextTemplate = (context: MappingContext) => Promise<string>;

/**
 * Compiles a text with `{{ expression }}` placeholders.
 * @param encode applied to each value, unless the text is one placeholder and nothing else
 * @throws {MappingSyntaxError}
 */
export function compileTextTemplate(text: string, encode: (value: string) => string = (value) => value): TextTemplate {
  const parts = parseTemplate(text);
  const is_single = parts.length === 1;
  return async (context) => {
    const rendered = parts.map(async (part) => {
      if (typeof part === 'string') return part;
      const value = toText(await part(context));
      return is_single ? value : encode(value);
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
