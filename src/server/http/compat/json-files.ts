import { readFile, rm } from 'node:fs/promises';

/** A file that was part of a JSON body, in a temporary place. */
interface JsonFile {
  file: string;
  bytes: number;
  sha256: string;
}

/** Stands for the content of a file in its data URI. Base64 has no such characters. */
const MARK = '#file:';
const MARKED = /^(data:[^,]{0,300};base64,)#file:([\da-f]{64})$/;

export const markOf = (sha256: string): string => MARK + sha256;

/** The files of a JSON body. In the body, each is a data URI with a mark in place of its content. */
export class JsonFiles {
  readonly #files = new Map<string, JsonFile>();
  /** Links of those that were uploaded. */
  readonly #links = new Map<string, Promise<string>>();

  get size(): number {
    return this.#files.size;
  }

  async add(file: JsonFile): Promise<void> {
    if (this.#files.has(file.sha256)) await rm(file.file, { force: true });
    else this.#files.set(file.sha256, file);
  }

  /**
   * Uploads the file of a data URI, once, however often the body names it.
   * @returns its link; null for a data URI whose content is in the text
   */
  upload(uri: string, store: (file: JsonFile) => Promise<string>): Promise<string> | null {
    const file = this.#find(uri);
    if (!file) return null;
    const link = this.#links.get(file.sha256) ?? store(file);
    this.#links.set(file.sha256, link);
    return link;
  }

  /**
   * Puts the content of files back that are no references of a model, as far as they fit.
   * @returns null if they don't
   */
  async restore<T>(value: T, maxBytes: number): Promise<T | null> {
    if (this.size === 0) return value;
    const marked = listTexts(value).flatMap((uri) => {
      const file = this.#find(uri);
      return file ? [{ uri, ...file }] : [];
    });
    const total = marked.reduce((sum, { bytes }) => sum + bytes, 0);
    // The file of an upload is in its place.
    if (total > maxBytes || marked.some(({ sha256 }) => this.#links.has(sha256))) return null;
    const texts = new Map<string, string>();
    for (const { uri, file } of marked)
      if (!texts.has(uri)) texts.set(uri, uri.slice(0, uri.indexOf(MARK)) + (await readFile(file, 'base64')));
    return texts.size === 0 ? value : (replaceTexts(value, texts) as T);
  }

  /** Removes what is left of them. */
  async remove(): Promise<void> {
    for (const { file } of this.#files.values()) await rm(file, { force: true });
  }

  #find(uri: string): JsonFile | undefined {
    const [, , sha256] = MARKED.exec(uri) ?? [];
    return sha256 === undefined ? undefined : this.#files.get(sha256);
  }
}

function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : [];
}

function replaceTexts(value: unknown, texts: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return texts.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => replaceTexts(item, texts));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, replaceTexts(inner, texts)]));
}
