const SPACES = ' \t\n\r\v';
const OPERATORS = '.[]{}(),@#;:?+-*/%|=<>^&!~';
const CLOSES: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };
/** Operators between values, names elsewhere. */
const WORD_OPERATORS = new Set(['and', 'or', 'in']);
/** Values (parent, children, descendants) where a value is expected, operators elsewhere. */
const VALUE_OPERATORS = '*%';

/**
 * Finds the `}}` that ends the JSONata expression at `from`, in linear time; null when nothing ends it. Follows the
 * lexical rules of the parser, because strings, comments, regular expressions and braces may contain `}}`.
 */
export function findExpressionEnd(text: string, from: number): number | null {
  const open: string[] = [];
  // A slash divides after a value and begins a regular expression elsewhere.
  let expectsValue = true;
  for (let at = from; at < text.length;) {
    const char = text.charAt(at);
    const quotedEnd = endOfQuoted(text, at, expectsValue);
    if (quotedEnd === null) return null;
    if (quotedEnd > at) {
      if (!isComment(text, at)) expectsValue = false;
      at = quotedEnd;
    } else if (SPACES.includes(char)) {
      at += 1;
    } else if (OPERATORS.includes(char)) {
      const closes: string | undefined = CLOSES[char];
      if (closes !== undefined && open.at(-1) === closes) open.pop();
      else if (char === '}' && text.charAt(at + 1) === '}') return at;
      else if ('([{'.includes(char)) open.push(char);
      const endsValue: boolean = closes !== undefined || (expectsValue && VALUE_OPERATORS.includes(char));
      // `**` is one operator.
      at += char === '*' && text.charAt(at + 1) === '*' ? 2 : 1;
      expectsValue = !endsValue;
    } else {
      const end = endOfWord(text, at);
      expectsValue = !expectsValue && WORD_OPERATORS.has(text.slice(at, end));
      at = end;
    }
  }
  return null;
}

const isComment = (text: string, at: number): boolean => text.startsWith('/*', at);

/** @returns the position after a quoted part; `at` when none begins here; null when it does not end */
function endOfQuoted(text: string, at: number, expectsValue: boolean): number | null {
  const char = text.charAt(at);
  if (isComment(text, at)) return positionAfter(text.indexOf('*/', at + 2), 2);
  if (char === '`') return positionAfter(text.indexOf('`', at + 1), 1);
  if (char === '"' || char === "'") return endOfString(text, at + 1, char);
  if (char === '/' && expectsValue) return endOfRegex(text, at + 1);
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
  let isEscaped = false;
  for (let at = from; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '/' && depth === 0 && !isEscaped) return at + 1;
    // The parser also looks only at the previous character.
    if (text.charAt(at - 1) !== '\\') {
      if ('([{'.includes(char)) depth += 1;
      if (')]}'.includes(char)) depth -= 1;
    }
    isEscaped = char === '\\' && !isEscaped;
  }
  return null;
}

function endOfWord(text: string, from: number): number {
  let at = from;
  while (at < text.length && !SPACES.includes(text.charAt(at)) && !OPERATORS.includes(text.charAt(at))) at += 1;
  return at;
}
