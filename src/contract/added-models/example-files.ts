import { isJson } from '../json-value.ts';
import { splitWords } from './split-words.ts';

/**
 * What a file of a provider's example is. `mesh` and `archive` are files that the library does not hold; `animation` is a
 * GIF, which is an image here and a video for some models.
 */
export type ExampleKind = 'image' | 'animation' | 'video' | 'audio' | 'mesh' | 'archive' | 'file';

/** What a provider shows as a sample of a run; untrusted, and absent for most models of some providers. */
export interface ModelExample {
  input: unknown;
  output: unknown;
}

const EXTENSIONS: Readonly<Record<ExampleKind, readonly string[]>> = {
  image: ['png', 'jpg', 'jpeg', 'jfif', 'webp', 'avif', 'svg', 'tif', 'tiff', 'bmp', 'heic'],
  animation: ['gif', 'apng'],
  video: ['mp4', 'webm', 'mov', 'mkv', 'm4v', 'avi', 'mpg', 'mpeg'],
  audio: ['mp3', 'wav', 'flac', 'ogg', 'oga', 'opus', 'm4a', 'aac', 'aif', 'aiff', 'wma'],
  mesh: ['glb', 'gltf', 'obj', 'ply', 'fbx', 'stl', 'usdz', 'splat'],
  archive: ['zip', 'tar', 'gz', 'tgz', 'bz2', 'xz', '7z', 'rar'],
  file: splitWords(
    'safetensors ckpt pt pth bin onnx npy npz pkl pickle parquet h5 pdf json jsonl csv tsv txt md srt vtt',
    'xml yaml yml html docx ttf otf mid midi pdb lrc',
  ),
};
const KIND_OF_EXTENSION = new Map(
  Object.entries(EXTENSIONS).flatMap(([kind, names]) => names.map((name) => [name, kind as ExampleKind] as const)),
);

const MAX_ADDRESS_CHARACTERS = 4_096;
const MAX_VALUES = 500;
const MAX_DEPTH = 8;

/** The kind of file that an address is of, by its name; null for what is no address or has no telling name. */
export function kindOfAddress(value: unknown): ExampleKind | null {
  if (typeof value !== 'string' || !/^(https?:\/\/|data:)/i.test(value)) return null;
  const [, type] = /^data:(image|video|audio)\//i.exec(value.slice(0, 20)) ?? [];
  if (type) return type.toLowerCase() as ExampleKind;
  if (value.length > MAX_ADDRESS_CHARACTERS) return null;
  const name = URL.parse(value)?.pathname.split('/').at(-1) ?? '';
  return name.includes('.') ? (KIND_OF_EXTENSION.get(name.split('.').at(-1)?.toLowerCase() ?? '') ?? null) : null;
}

/** The kinds of the files in a value of any shape, in its order. */
export function kindsInExample(value: unknown): ExampleKind[] {
  const kinds: ExampleKind[] = [];
  let values = 0;
  const visit = (each: unknown, depth: number): void => {
    values += 1;
    if (values > MAX_VALUES || depth > MAX_DEPTH) return;
    const kind = kindOfAddress(each);
    if (kind !== null) kinds.push(kind);
    else if (Array.isArray(each)) for (const item of each) visit(item, depth + 1);
    else if (isJson(each)) for (const item of Object.values(each)) visit(item, depth + 1);
  };
  visit(value, 0);
  return kinds;
}

/** A mesh comes with pictures of it, and a video with its frames. */
const MAIN_FIRST = ['mesh', 'video', 'audio', 'animation', 'image', 'file', 'archive'] as const;

/** Which of several files is what a model makes; null for none. */
export function mainKind(kinds: readonly ExampleKind[]): Exclude<ExampleKind, 'animation'> | null {
  const kind = MAIN_FIRST.find((each) => kinds.includes(each)) ?? null;
  return kind === 'animation' ? 'image' : kind;
}
