import type { MediaKind } from '#contract/task.ts';
import { wordsOf } from './describe-field.ts';
import { kindOfAddress } from '#contract/added-models/example-files.ts';
import type { Json } from '#contract/json-value.ts';
import { splitWords } from '#contract/added-models/split-words.ts';

/** `file`: an archive, a mesh or weights, which the library does not hold; such a field takes a link as text. */
export type ReferenceKind = MediaKind | 'file';
export type SchemaOrigin = 'fal' | 'replicate' | 'other';

/** Words that name a kind of file, wherever they stand. */
const KIND_WORDS: Readonly<Record<ReferenceKind, readonly string[]>> = {
  file: splitWords(
    'zip tar archive npy npz safetensors checkpoint ckpt weights embedding embeddings lora loras mesh glb',
    'gltf obj ply pdf csv json jsonl dataset config font pointmap midi pdb srt',
  ),
  video: ['video', 'videos', 'clip', 'clips', 'movie', 'footage', 'mp4', 'mov', 'webm'],
  audio: splitWords(
    'audio audios voice voices speech song songs music sound sounds vocals vocal instrumental melody wav',
    'mp3 flac ogg',
  ),
  image: splitWords(
    'image images img imgs photo photos photograph picture pictures frame frames portrait logo sketch',
    'thumbnail selfie screenshot png jpg jpeg',
  ),
};
/** What is on a file rather than what it is: a description says more. */
const SUBJECT_WORDS: Readonly<Record<ReferenceKind, readonly string[]>> = {
  file: ['model', 'data'],
  video: [],
  audio: ['speaker'],
  image: ['mask', 'masks', 'face', 'person', 'character', 'background', 'canny', 'depth', 'garment', 'cloth', 'pose'],
};
const KINDS = ['file', 'video', 'audio', 'image'] as const satisfies readonly ReferenceKind[];

const kindOfWord = (words: typeof KIND_WORDS, word: string): ReferenceKind | null =>
  KINDS.find((kind) => words[kind].includes(word)) ?? null;

/** The kind of the word that all others describe: `control_lora_image` is an image, `image_model` is not. */
function kindOfName(words: typeof KIND_WORDS, name: string): ReferenceKind | null {
  const kinds = wordsOf(name).map((word) => kindOfWord(words, word));
  return kinds.findLast((kind) => kind !== null) ?? null;
}

/** Words at the end of a name that say how a file is given, and which of several. */
const ADDRESS_WORDS = ['url', 'urls', 'uri', 'link', 'path', 'file', 'files', 'input', 'person'];
const isHead = (name: string, word: string): boolean =>
  wordsOf(name).findLast((each) => !ADDRESS_WORDS.includes(each) && !/^\d+$/.test(each)) === word;

const MAX_DESCRIPTION_CHARACTERS = 1_000;

/** In lower case; unlike those of a name, `mp4` is one of them. */
const descriptionWords = ({ description }: Json): readonly string[] =>
  typeof description === 'string'
    ? (description
        .slice(0, MAX_DESCRIPTION_CHARACTERS)
        .toLowerCase()
        .match(/[a-z][a-z0-9]*/g) ?? [])
    : [];

/** Every kind of a word, the first one first: a model and data are rarely files where sentences name them. */
const kindsOfDescription = (schema: Json): ReferenceKind[] =>
  descriptionWords(schema).flatMap((word) => {
    const kind = kindOfWord(KIND_WORDS, word) ?? kindOfWord(SUBJECT_WORDS, word);
    return kind === null || SUBJECT_WORDS.file.includes(word) ? [] : [kind];
  });

/** Files that hold others, or numbers. People see them named beside what is in them: “a zip of images”. */
const CONTAINER_WORDS = ['zip', 'zipped', 'tar', 'npy', 'npz', 'safetensors'];
const namesContainer = (schema: Json): boolean =>
  descriptionWords(schema).some((word) => CONTAINER_WORDS.includes(word));

const CATEGORY_KINDS: readonly (readonly [prefix: string, kind: MediaKind])[] = [
  ['image-to', 'image'],
  ['video-to', 'video'],
  ['audio-to', 'audio'],
  ['speech-to', 'audio'],
];

/** Addresses to which a provider sends something. */
const CALLBACK_WORDS = ['webhook', 'callback', 'notify', 'endpoint', 'server'];

/** The kind of the files that a schema or a sample run shows for a text. @param bySchema by name and description */
export function kindOfExamples(schema: Json, example: unknown, bySchema: ReferenceKind | null): ReferenceKind | null {
  const { examples, default: preset } = schema;
  const kind = [example, examples, preset]
    .flat(2)
    .map(kindOfAddress)
    .find((each) => each !== null);
  if (kind === undefined || kind === null) return null;
  if (kind === 'animation') return bySchema === 'video' ? 'video' : 'image';
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : 'file';
}

/** Whether a text is the address of a file. fal has no format for it, and some models of Replicate name none. */
function isFileAddress(origin: SchemaOrigin, name: string, schema: Json): boolean {
  if (schema['format'] === 'uri') return true;
  if (origin === 'other') return false;
  const words = wordsOf(name);
  const at = words.findLastIndex((word) => word === 'url' || word === 'urls');
  if (at < 0 || words.some((word) => CALLBACK_WORDS.includes(word)) || /call_?back/i.test(name)) return false;
  // `image_url`, `image_url_2`, `audio_url_person1`.
  const rest = words.slice(at + 1);
  return rest.every((word) => word === 'person' || /^\d+$/.test(word));
}

/**
 * Returns what file a text of a schema takes by its name and description, or null if it takes none.
 * @param category of the model, such as `image-to-video`
 */
export function guessReferenceKind(
  origin: SchemaOrigin,
  name: string,
  schema: Json,
  category: string | null,
): ReferenceKind | null {
  if (!isFileAddress(origin, name, schema)) return null;
  const described = kindsOfDescription(schema);
  const byName = isHead(name, 'model') ? 'file' : kindOfName(KIND_WORDS, name);
  // “An image, or a zip of images”: the field of one image takes an image.
  const [first = null] = described;
  const isSingle = first !== null && [null, first].includes(byName) && !/s(_(urls?|files?))?$/i.test(name);
  if (namesContainer(schema) && !isSingle) return 'file';
  const byCategory = CATEGORY_KINDS.find(([prefix]) => category?.startsWith(prefix))?.[1] ?? null;
  return byName ?? first ?? kindOfName(SUBJECT_WORDS, name) ?? byCategory ?? 'file';
}

const NOUNS: Readonly<Record<MediaKind, string>> = { image: 'images', video: 'videos', audio: 'audio' };

/** What else the description of a field of files offers, as “a video or audio file”; null if nothing. */
export function otherMediaNote(kind: ReferenceKind, { description }: Json): string | null {
  if (kind === 'file' || typeof description !== 'string') return null;
  const [, one, other] =
    /\b(images?|videos?|audio)(?: files?)?(?: or |\/)(images?|videos?|audio)\b/i.exec(description) ?? [];
  const kinds = [one, other].map((word) => word && kindOfWord(KIND_WORDS, word.toLowerCase()));
  const rest = kinds.includes(kind) ? kinds.find((each) => each !== kind && each) : undefined;
  return rest && rest !== 'file' ? `It also takes ${NOUNS[rest as MediaKind]}.` : null;
}
