type ParsedJsonObject = { ok: true; value: Record<string, unknown> } | { ok: false; message: string };

export function parseJsonObject(text: string): ParsedJsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { ok: true, value: value as Record<string, unknown> };
    return { ok: false, message: 'A workflow is a JSON object: { … }.' };
  } catch {
    const at = findErrorOffset(text);
    if (at >= text.trimEnd().length) return { ok: false, message: 'Invalid JSON: the end is missing.' };
    const line = text.slice(0, at).split('\n').length;
    return { ok: false, message: `Invalid JSON on line ${line}, near “${text.slice(at, at + 12).split('\n')[0]}”.` };
  }
}

const BLANK = /\s*/y;
/** JSON strings can't contain line breaks or other characters below U+0020. */
// oxlint-disable-next-line no-control-regex -- see above
const TEXT = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;
const OTHER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** Finds where the text stops being valid JSON. The messages of browsers differ and mostly omit the position. */
function findErrorOffset(text: string): number {
  let at = 0;
  const consume = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) at = pattern.lastIndex;
    return match !== null;
  };
  const skipBlanks = () => consume(BLANK);
  const consumeChar = (char: string): boolean => {
    skipBlanks();
    if (text[at] !== char) return false;
    at += 1;
    return true;
  };
  const consumeList = (end: string, consumeItem: () => boolean): boolean => {
    if (consumeChar(end)) return true;
    for (;;) {
      skipBlanks();
      if (!consumeItem()) return false;
      if (consumeChar(end)) return true;
      if (!consumeChar(',')) return false;
    }
  };
  const consumeValue = (): boolean => {
    if (consumeChar('{')) return consumeList('}', () => consume(TEXT) && consumeChar(':') && consumeValue());
    if (consumeChar('[')) return consumeList(']', consumeValue);
    return consume(TEXT) || consume(OTHER);
  };
  consumeValue();
  skipBlanks();
  return at;
}
