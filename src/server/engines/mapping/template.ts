import { compileMapping, type Mapping } from './mapping.ts';
import type { MappingContext } from './mapping-context.ts';
import { splitPlaceholders } from './placeholders.ts';

/** Text with its `{{ expression }}`s filled in. @throws {EngineError} as a `Mapping` does */
export type TextTemplate = (context: MappingContext) => Promise<string>;

/**
 * A text in which `{{ expression }}` stands for what a JSONata expression gives.
 * @param encode applied to what is filled in; not where the text is one placeholder and nothing else
 * @throws {MappingSyntaxError}
 */
export function compileTextTemplate(text: string, encode: (value: string) => string = (value) => value): TextTemplate {
  const parts = parseTemplate(text);
  const whole = parts.length === 1;
  return async (context) => {
    const written = parts.map(async (part) => {
      if (typeof part === 'string') return part;
      const value = toText(await part(context));
      return whole ? value : encode(value);
    });
    return (await Promise.all(written)).join('');
  };
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Text and compiled expressions in turn. @throws {MappingSyntaxError} */
export const parseTemplate = (text: string): (string | Mapping)[] =>
  splitPlaceholders(text).map((part) => (typeof part === 'string' ? part : compileMapping(part.expression)));
