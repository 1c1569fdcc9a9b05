import type { MediaKind } from '../task.ts';
import { wordsOf } from './describe-field.ts';
import type { Json } from '../json-value.ts';

/** `file`: an archive, a mesh or weights, which the library does not hold; such a field takes a link as text. */
export type ReferenceKind = MediaKind | 'file';
export type SchemaOrigin = 'fal' | 'replicate' | 'other';

const KIND_WORDS: Readonly<Record<ReferenceKind, readonly string[]>> = {
  file: [
    'zip',
    'archive',
    'lora',
    'loras',
    'weights',
    'safetensors',
    'checkpoint',
    'model',
    'mesh',
    'glb',
    'pdf',
    'data',
    'dataset',
    'config',
  ],
  video: ['video', 'videos', 'clip', 'movie', 'footage'],
  audio: [
    'audio',
    'audios',
    'voice',
    'speaker',
    'song',
    'music',
    'sound',
    'speech',
    'vocals',
    'vocal',
    'instrumental',
    'melody',
  ],
  image: [
    'image',
    'images',
    'img',
    'photo',
    'photos',
    'picture',
    'pictures',
    'frame',
    'mask',
    'face',
    'portrait',
    'garment',
    'logo',
    'sketch',
    'thumbnail',
    'selfie',
    'person',
    'background',
    'screenshot',
    'character',
    'canny',
    'depth',
  ],
};
const KINDS = ['file', 'video', 'audio', 'image'] as const satisfies readonly ReferenceKind[];

const kindByWords = (words: readonly string[]): ReferenceKind | null =>
  KINDS.find((kind) => words.some((word) => KIND_WORDS[kind].includes(word))) ?? null;

/** The kind that a sentence names first. */
function kindByDescription(description: unknown): ReferenceKind | null {
  if (typeof description !== 'string') return null;
  for (const word of wordsOf(description.slice(0, 1_000))) {
    const kind = kindByWords([word]);
    if (kind !== null && word !== 'model' && word !== 'data') return kind;
  }
  return null;
}

const CATEGORY_KINDS: readonly (readonly [prefix: string, kind: MediaKind])[] = [
  ['image-to', 'image'],
  ['video-to', 'video'],
  ['audio-to', 'audio'],
  ['speech-to', 'audio'],
];

/** Addresses to which a provider sends something. */
const CALLBACK_WORDS = ['webhook', 'callback', 'notify', 'endpoint', 'server'];

/** Whether a text is the address of a file. fal has no format for it, and some models of Replicate name none. */
function isFileAddress(origin: SchemaOrigin, name: string, schema: Json): boolean {
  if (schema['format'] === 'uri') return true;
  if (origin === 'other') return false;
  const words = wordsOf(name);
  const at = words.findLastIndex((word) => word === 'url' || word === 'urls');
  if (at < 0 || words.some((word) => CALLBACK_WORDS.includes(word))) return false;
  // `image_url`, `image_url_2`, `audio_url_person1`.
  const rest = words.slice(at + 1);
  return rest.every((word) => word === 'person' || /^\d+$/.test(word));
}

/**
 * Returns what file a text of a schema takes, or null if it takes none. The administrator can correct it.
 * @param category of the model, such as `image-to-video`
 */
export function guessReferenceKind(
  origin: SchemaOrigin,
  name: string,
  schema: Json,
  category: string | null,
): ReferenceKind | null {
  if (!isFileAddress(origin, name, schema)) return null;
  const byName = kindByWords(wordsOf(name));
  if (byName !== null && byName !== 'image') return byName;
  // `person` and `face` say less than a description does.
  if (byName === 'image' && wordsOf(name).some((word) => ['image', 'images', 'img', 'frame', 'mask'].includes(word)))
    return 'image';
  const byDescription = kindByDescription(schema['description']);
  const byCategory = CATEGORY_KINDS.find(([prefix]) => category?.startsWith(prefix))?.[1] ?? null;
  return byDescription ?? byName ?? byCategory ?? 'file';
}
