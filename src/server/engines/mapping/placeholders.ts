import { MappingSyntaxError, parseExpression } from './expression.ts';

/** Text, and what stands between `{{` and `}}`. */
export type Part = string | { expression: string };

/**
 * Text and expressions in turn; an empty text is one part. An expression may hold `}}` itself: it ends at the first where
 * it is whole.
 * @throws {MappingSyntaxError}
 */
export function splitPlaceholders(text: string): Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (let open = text.indexOf('{{'); open !== -1; open = text.indexOf('{{', from)) {
    const { expression, end } = splitOne(text, open + 2);
    if (open > from) parts.push(text.slice(from, open));
    parts.push({ expression });
    from = end;
  }
  if (from < text.length || parts.length === 0) parts.push(text.slice(from));
  return parts;
}

function splitOne(text: string, from: number): { expression: string; end: number } {
  let problem: MappingSyntaxError | null = null;
  for (let close = text.indexOf('}}', from); close !== -1; close = text.indexOf('}}', close + 1)) {
    try {
      const expression = text.slice(from, close);
      parseExpression(expression);
      return { expression, end: close + 2 };
    } catch (error) {
      if (!(error instanceof MappingSyntaxError)) throw error;
      problem ??= error;
    }
  }
  throw problem ?? new MappingSyntaxError('has a {{ without its }}');
}
