const SPACES = ' \t\n\r\v';
const OPERATORS = '.[]{}(),@#;:?+-*/%|=<>^&!~';
const CLOSES: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };
/** Operators where the parser expects one, names elsewhere. */
const WORD_OPERATORS = new Set(['and', 'or', 'in']);
/** The context's parent, its children and its descendants where the parser expects a value, operators elsewhere. */
const VALUE_OPERATORS = '*%';

/**
 * The position of the `}}` that ends the JSONata expression which begins at `from`; null where nothing ends it. It reads
 * each character once, by the same lexical rules as the parser: strings, quoted names, comments and regular expressions
 * may hold `}}`, and so may nested braces.
 */
export function findExpressionEnd(text: string, from: number): number | null {
  const open: string[] = [];
  // Decides whether a slash divides or begins a regular expression.
  let expects_value = true;
  for (let at = from; at < text.length;) {
    const sign = text.charAt(at);
    const quoted = endOfQuoted(text, at, expects_value);
    if (quoted === null) return null;
    if (quoted > at) {
      if (!isComment(text, at)) expects_value = false;
      at = quoted;
    } else if (SPACES.includes(sign)) {
      at += 1;
    } else if (OPERATORS.includes(sign)) {
      const closes: string | undefined = CLOSES[sign];
      if (closes !== undefined && open.at(-1) === closes) open.pop();
      else if (sign === '}' && text.charAt(at + 1) === '}') return at;
      else if ('([{'.includes(sign)) open.push(sign);
      const is_value: boolean = closes !== undefined || (expects_value && VALUE_OPERATORS.includes(sign));
      // The second sign of `**` belongs to the first.
      at += sign === '*' && text.charAt(at + 1) === '*' ? 2 : 1;
      expects_value = !is_value;
    } else {
      const end = endOfWord(text, at);
      expects_value = !expects_value && WORD_OPERATORS.has(text.slice(at, end));
      at = end;
    }
  }
  return null;
}

const isComment = (text: string, at: number): boolean => text.startsWith('/*', at);

/** @returns the position after what begins here; `at` itself where nothing quoted does; null where it has no end */
function endOfQuoted(text: string, at: number, expects_value: boolean): number | null {
  const sign = text.charAt(at);
  if (isComment(text, at)) return positionAfter(text.indexOf('*/', at + 2), 2);
  if (sign === '`') return positionAfter(text.indexOf('`', at + 1), 1);
  if (sign === '"' || sign === "'") return endOfString(text, at + 1, sign);
  if (sign === '/' && expects_value) return endOfRegex(text, at + 1);
  return at;
}

const positionAfter = (position: number, length: number): number | null => (position === -1 ? null : position + length);

function endOfString(text: string, from: number, quote: string): number | null {
  for (let at = from; at < text.length; at += 1) {
    if (text.charAt(at) === '\\') at += 1;
    else if (text.charAt(at) === quote) return at + 1;
  }
  return null;
}

function endOfRegex(text: string, from: number): number | null {
  let depth = 0;
  let is_escaped = false;
  for (let at = from; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === '/' && depth === 0 && !is_escaped) return at + 1;
    // As the parser counts them: by the sign before alone.
    if (text.charAt(at - 1) !== '\\') {
      if ('([{'.includes(sign)) depth += 1;
      if (')]}'.includes(sign)) depth -= 1;
    }
    is_escaped = sign === '\\' && !is_escaped;
  }
  return null;
}

function endOfWord(text: string, from: number): number {
  let at = from;
  while (at < text.length && !SPACES.includes(text.charAt(at)) && !OPERATORS.includes(text.charAt(at))) at += 1;
  return at;
}
