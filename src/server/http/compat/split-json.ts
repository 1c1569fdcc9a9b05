import { ApiError } from '#server/platform/core/api-error.ts';

/** A piece of JSON, in order. */
export type JsonPart =
  /** JSON without the content of its files. */
  | { kind: 'text'; bytes: Buffer }
  /** Base64 of a file, whose head is at the end of the text before. */
  | { kind: 'content'; base64: string }
  /** The file is complete. Its closing quote follows as text. */
  | { kind: 'end' };

const HEAD = 'data:';
const BASE64 = ';base64,';
const MAX_HEAD_BYTES = 256;
/** Shorter files stay in the text. */
const MIN_FILE_BYTES = 4_096;
const FIRST = HEAD.charCodeAt(0);
const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = '\\'.charCodeAt(0);

type State = 'outside' | 'head' | 'text' | 'content';

/** Takes the content of long data URIs out of JSON that arrives in chunks, which need not be valid. */
export function createJsonSplitter() {
  let state: State = 'outside';
  /** The byte after a backslash at the end of a chunk is not looked at. */
  let isEscaped = false;
  /** Of a string that may be a data URI, or of content that may be short. */
  let held: Buffer = Buffer.alloc(0);
  let isFile = false;
  let decoder = createContentDecoder();
  let parts: JsonPart[] = [];

  const emitText = (bytes: Buffer) => {
    if (bytes.length > 0) parts.push({ kind: 'text', bytes });
  };
  const emitContent = (bytes: Buffer) => parts.push({ kind: 'content', base64: decoder.decode(bytes) });

  function pushHead(bytes: Buffer, isClosed: boolean): void {
    held = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
    const text = held.subarray(0, MAX_HEAD_BYTES).toString('latin1');
    const comma = text.indexOf(',');
    const isData = text.startsWith(HEAD) || (!isClosed && HEAD.startsWith(text));
    if (comma !== -1 && isData && text.slice(0, comma + 1).endsWith(BASE64)) {
      const content = held.subarray(comma + 1);
      emitText(held.subarray(0, comma + 1));
      [state, held, isFile, decoder] = ['content', Buffer.alloc(0), false, createContentDecoder()];
      return pushContent(content, isClosed);
    }
    const isUndecided = isData && comma === -1 && held.length < MAX_HEAD_BYTES && !isClosed;
    if (isUndecided) return;
    emitText(held);
    held = Buffer.alloc(0);
    state = 'text';
  }

  function pushContent(bytes: Buffer, isClosed: boolean): void {
    if (!isFile) {
      held = Buffer.concat([held, bytes]);
      isFile = held.length > MIN_FILE_BYTES;
      if (isFile) emitContent(held);
      else if (isClosed) emitText(held);
      else return;
      held = Buffer.alloc(0);
    } else emitContent(bytes);
    if (isFile && isClosed) {
      decoder.end();
      parts.push({ kind: 'end' });
    }
  }

  /** @throws {ApiError} 422 for a file that is not base64 */
  function push(chunk: Buffer): JsonPart[] {
    parts = [];
    const findQuote = createFinder(chunk, QUOTE);
    const findBackslash = createFinder(chunk, BACKSLASH);
    /** @returns where the string ends, or the chunk */
    const endOfString = (start: number): number => {
      let at = start + (isEscaped ? 1 : 0);
      isEscaped = false;
      while (at < chunk.length) {
        const end = findQuote(at);
        const escape = findBackslash(at);
        if (escape >= end) return end;
        at = escape + 2;
        isEscaped = at > chunk.length;
      }
      return chunk.length;
    };
    /** Where text begins that is not emitted yet: most chunks are one piece. */
    let from = 0;
    for (let at = 0; at < chunk.length;) {
      if (state === 'outside') {
        at = Math.min(findQuote(at) + 1, chunk.length);
        if (chunk[at - 1] === QUOTE) state = at === chunk.length || chunk[at] === FIRST ? 'head' : 'text';
        continue;
      }
      const end = endOfString(at);
      const isClosed = end < chunk.length;
      if (state !== 'text') {
        emitText(chunk.subarray(from, at));
        const bytes = chunk.subarray(at, end);
        if (state === 'head') pushHead(bytes, isClosed);
        else pushContent(bytes, isClosed);
        from = end;
      }
      at = end;
      if (!isClosed) continue;
      at = end + 1;
      state = 'outside';
    }
    emitText(chunk.subarray(from));
    return parts;
  }
  return { push };
}

/** @returns a function that finds the next byte from a place on, which must not decrease; the length if there is none */
function createFinder(chunk: Buffer, byte: number): (from: number) => number {
  let next = -1;
  return (from) => {
    if (next >= from) return next;
    const found = chunk.indexOf(byte, from);
    next = found === -1 ? chunk.length : found;
    return next;
  };
}

const ESCAPES: Readonly<Record<string, string>> = { '/': '/', n: '\n', r: '\r', t: '\t' };

/** Decodes escapes of JSON in base64: some programs write `\/` and `\u002B`, or break lines. */
function createContentDecoder() {
  let incomplete = '';
  return {
    /** @throws {ApiError} 422 */
    decode(bytes: Buffer): string {
      const text = incomplete + bytes.toString('latin1');
      const end = /\\(?:u[\da-f]{0,3})?$/i.exec(text.slice(-6))?.[0].length ?? 0;
      incomplete = text.slice(text.length - end);
      const whole = text.slice(0, text.length - end);
      const base64 = whole.includes('\\')
        ? whole
            .replaceAll(/\\(?:u([\da-f]{4})|(.))/gi, (escape, hex: string | undefined, letter: string | undefined) =>
              hex === undefined ? (ESCAPES[letter ?? ''] ?? escape) : String.fromCharCode(Number.parseInt(hex, 16)),
            )
            .replaceAll(/[\n\r\t]/g, '')
        : whole;
      if (!/^[\w+/=-]*$/.test(base64)) throw notBase64Error();
      return base64;
    },
    end(): void {
      if (incomplete !== '') throw notBase64Error();
    },
  };
}

const notBase64Error = (): ApiError =>
  new ApiError('invalid_request', 'A file in the body is no data URI in base64.', { status: 422 });
