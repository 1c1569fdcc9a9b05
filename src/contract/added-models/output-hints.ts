import { isJson, type Json, property } from '../json-value.ts';
import { wordsOf } from './fields/describe-field.ts';
import { kindsInExample, mainKind } from './example-files.ts';

export type OutputKind = 'image' | 'video' | 'audio' | 'file';

/** What a model probably returns, from its schema. The result itself decides. */
export interface OutputHints {
  /** Files, in the order of the schema: `images[].url`. A kind of null is not known before the first result. */
  files: readonly { path: string; kind: OutputKind | null; many: boolean }[];
  /** Whether something else than files is returned that is worth keeping. */
  has_data: boolean;
}

const KIND_WORDS: Readonly<Record<string, OutputKind>> = {
  image: 'image',
  images: 'image',
  img: 'image',
  mask: 'image',
  thumbnail: 'image',
  frame: 'image',
  frames: 'image',
  video: 'video',
  videos: 'video',
  animation: 'video',
  gif: 'image',
  audio: 'audio',
  audios: 'audio',
  song: 'audio',
  music: 'audio',
  speech: 'audio',
  sound: 'audio',
  vocals: 'audio',
  zip: 'file',
  mesh: 'file',
  glb: 'file',
  model: 'file',
  lora: 'file',
  config: 'file',
  weights: 'file',
};

/** Archives of frames are no images. */
const ZIP_PATTERN = /(^|[^a-z])(zip|tar|archive)([^a-z]|$)/i;

const kindOfWords = (text: string): OutputKind | null =>
  ZIP_PATTERN.test(text)
    ? 'file'
    : (wordsOf(text)
        .map((word) => KIND_WORDS[word])
        .find((kind) => kind !== undefined) ?? null);

const firstOf = (list: unknown): unknown => (Array.isArray(list) ? (list[0] as unknown) : undefined);

/** The kind of the files of a sample; of several, of the one that is no archive. */
function kindOfSample(sample: unknown): OutputKind | null {
  const kind = mainKind(kindsInExample(sample));
  return kind === 'archive' || kind === 'mesh' ? 'file' : kind;
}

/** `text-to-video` → video. */
function kindOfCategory(category: string | null): OutputKind | null {
  const target = category?.split('-to-').at(-1);
  return target === undefined ? null : target === '3d' ? 'file' : kindOfWords(target);
}

const MAX_FILES = 20;
const RUN_FACTS = new Set([
  'seed',
  'timings',
  'has_nsfw_concepts',
  'prompt',
  'nsfw_content_detected',
  'logs',
  'metrics',
  'request_id',
]);

/** Whether a value of a result says something about its run that nobody keeps, such as its seed. */
export const isRunFact = (name: string): boolean => RUN_FACTS.has(name) || /nsfw|seed|timing/.test(name);

/**
 * @param output as `inlineSchema` returns it
 * @param example the output of a sample run; its files decide
 * @param known of an earlier version, for what neither says
 */
export function readOutputHints(
  output: Json,
  category: string | null,
  example?: unknown,
  known?: OutputHints | null,
): OutputHints {
  const files: { path: string; kind: OutputKind | null; many: boolean }[] = [];
  let hasData = false;
  const add = (path: string, many: boolean, words: readonly string[], sample: unknown) => {
    if (files.length >= MAX_FILES) return;
    const named = words.map(kindOfWords).find((kind) => kind !== null);
    const before = known?.files.find((file) => file.path === path)?.kind;
    const kind = kindOfSample(sample) ?? named ?? kindOfCategory(category) ?? before ?? null;
    files.push({ path, kind, many });
  };
  const visit = (schema: Json, path: string, many: boolean, names: readonly string[], given: unknown): void => {
    const sample = given ?? firstOf(schema['examples']);
    const branches = Array.isArray(schema['anyOf']) ? schema['anyOf'].filter(isJson) : [];
    const [first] = branches.filter((branch) => isJson(branch['properties']) || isJson(branch['items']));
    if (branches.length > 0) return visit(first ?? branches[0] ?? {}, path, many, names, sample);
    const { properties, items, type } = schema;
    const words = [...names, String(schema['title'] ?? '')];
    if (isJson(properties)) {
      if (isJson(properties['url'])) return add(path === '' ? 'url' : `${path}.url`, many, words, sample);
      for (const [name, each] of Object.entries(properties))
        if (isJson(each))
          visit(each, path === '' ? name : `${path}.${name}`, many, [name, ...words], property(sample, name));
      return;
    }
    if (isJson(items)) return visit(items, `${path}[]`, true, words, sample);
    const last = names[0] ?? '';
    if (type === 'string' && (schema['format'] === 'uri' || /(^|_)urls?$/.test(last)))
      return add(path, many, words, sample);
    if (!isRunFact(last)) hasData = true;
  };
  visit(output, '', false, [], example);
  return { files, has_data: hasData };
}
