import { isJson, type Json } from '../json-value.ts';
import { RESULT_LIMITS } from './schema-limits.ts';
import type { OutputKind } from './output-hints.ts';

/** A file that a result names. Its bytes decide what it is. */
interface ResultFile {
  url: string;
  /** Where it is: `images.0.url`; empty for a result that is an address itself. */
  path: string;
  kind: OutputKind | null;
  mime_type: string | null;
  file_name: string | null;
}

export interface WalkedResult {
  /** In the order of the result, each address once. */
  files: readonly ResultFile[];
  /** The result without its files: texts, numbers and lists; undefined if nothing else is in it. */
  data: unknown;
  /** Whether something was left out because of its size. */
  is_cut: boolean;
}

const EXTENSION_KINDS: Readonly<Record<string, OutputKind>> = {
  ...Object.fromEntries(
    ['png', 'jpg', 'jpeg', 'webp', 'gif', 'avif', 'svg', 'tiff', 'bmp', 'heic'].map((name) => [name, 'image' as const]),
  ),
  ...Object.fromEntries(['mp4', 'webm', 'mov', 'mkv', 'm4v', 'avi'].map((name) => [name, 'video' as const])),
  ...Object.fromEntries(
    ['mp3', 'wav', 'flac', 'ogg', 'opus', 'm4a', 'aac', 'pcm'].map((name) => [name, 'audio' as const]),
  ),
};

function kindOfMimeType(mime_type: string | null): OutputKind | null {
  const type = mime_type?.split('/')[0]?.toLowerCase();
  if (type === 'image' || type === 'video' || type === 'audio') return type;
  return mime_type === null || mime_type === 'application/octet-stream' || mime_type === 'binary/octet-stream'
    ? null
    : 'file';
}

export function kindOfName(name: string | null): OutputKind | null {
  const extension = name?.split('.').at(-1)?.toLowerCase() ?? '';
  if (!name?.includes('.') || extension.length > 5) return null;
  return Object.hasOwn(EXTENSION_KINDS, extension) ? (EXTENSION_KINDS[extension] ?? null) : 'file';
}

const lastSegment = (url: string): string => URL.parse(url)?.pathname.split('/').at(-1) ?? '';

/** `data:` addresses hold the file itself. */
const isAddress = (value: unknown, origin: string): value is string =>
  typeof value === 'string' &&
  (((value.startsWith('https://') || value.startsWith(`${origin}/`)) &&
    value.length <= RESULT_LIMITS.url_characters &&
    !/\s/.test(value) &&
    URL.canParse(value)) ||
    /^data:(image|video|audio)\/[a-z0-9.+-]+;base64,/i.test(value.slice(0, 80)));

const textOf = (value: unknown, name: string): string | null => {
  const text = isJson(value) ? value[name] : undefined;
  return typeof text === 'string' && text.length <= 300 ? text : null;
};

function toFile(url: string, path: string, holder: Json | null): ResultFile {
  const isInline = url.startsWith('data:');
  const mimeType = isInline
    ? (/^data:([^;,]+)/.exec(url)?.[1] ?? null)
    : (textOf(holder, 'content_type') ?? textOf(holder, 'mime_type'));
  const fileName = textOf(holder, 'file_name');
  const kind = kindOfMimeType(mimeType) ?? kindOfName(fileName) ?? (isInline ? null : kindOfName(lastSegment(url)));
  return { url, path, kind, mime_type: mimeType, file_name: fileName };
}

/**
 * Finds the files of a result of any shape: objects with a `url` and texts that are addresses. What else it holds is its
 * data. Nothing is fetched.
 * @param origin of the provider's server, whose addresses need no https
 */
export function walkResult(result: unknown, origin = 'https:'): WalkedResult {
  const files = new Map<string, ResultFile>();
  let values = 0;
  let characters = 0;
  let isCut = false;

  const add = (url: string, path: string, holder: Json | null): void => {
    if (files.has(url)) return;
    if (files.size >= RESULT_LIMITS.files) isCut = true;
    else files.set(url, toFile(url, path, holder));
  };

  /** Returns what of a value is data. */
  const visit = (value: unknown, path: string, depth: number): unknown => {
    values += 1;
    if (values > RESULT_LIMITS.values || depth > RESULT_LIMITS.depth) {
      isCut = true;
      return undefined;
    }
    if (isAddress(value, origin)) return void add(value, path, null);
    if (typeof value === 'string') {
      characters += value.length;
      if (characters <= RESULT_LIMITS.data_characters) return value;
      isCut = true;
      return undefined;
    }
    if (typeof value !== 'object' || value === null) return value ?? undefined;
    const below = (name: string | number) => (path === '' ? String(name) : `${path}.${name}`);
    if (Array.isArray(value)) {
      const items = value
        .map((item: unknown, index) => visit(item, below(index), depth + 1))
        .filter((item) => item !== undefined);
      return items.length > 0 ? items : undefined;
    }
    if (!isJson(value)) return undefined;
    if (isAddress(value['url'], origin)) return void add(value['url'], below('url'), value);
    const entries = Object.entries(value).flatMap(([name, each]) => {
      const data = visit(each, below(name), depth + 1);
      return data === undefined ? [] : [[name, data] as const];
    });
    return entries.length > 0 ? Object.fromEntries(entries) : undefined;
  };

  const data = visit(result, '', 0);
  return { files: [...files.values()], data, is_cut: isCut };
}
