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
  const parts = parseTemplate(text);
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

/**
 * Text and expressions in turn; an empty text is one part. An expression may hold `}}` itself: it ends at the first where
 * it is whole.
 * @throws {MappingSyntaxError}
 */
export function parseTemplate(text: string): (string | Mapping)[] {
  const parts: (string | Mapping)[] = [];
  let from = 0;
  for (let open = text.indexOf('{{'); open !== -1; open = text.indexOf('{{', from)) {
    const { mapping, end } = parsePlaceholder(text, open + 2);
    if (open > from) parts.push(text.slice(from, open));
    parts.push(mapping);
    from = end;
  }
  if (from < text.length || parts.length === 0) parts.push(text.slice(from));
  return parts;
}

function parsePlaceholder(text: string, from: number): { mapping: Mapping; end: number } {
  let problem: MappingSyntaxError | null = null;
  for (let close = text.indexOf('}}', from); close !== -1; close = text.indexOf('}}', close + 1)) {
    try {
      return { mapping: compileMapping(text.slice(from, close)), end: close + 2 };
    } catch (error) {
      if (!(error instanceof MappingSyntaxError)) throw error;
      problem ??= error;
    }
  }
  throw problem ?? new MappingSyntaxError('has a {{ without its }}');
}
