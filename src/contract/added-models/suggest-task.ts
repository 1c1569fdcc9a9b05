import type { TaskId } from '../ids.ts';
import { type ExampleKind, kindsInExample, mainKind, type ModelExample } from './example-files.ts';
import type { NormalizedModel } from './fields/normalize-schema.ts';

/** By words of the model's name and category, the most telling first. */
const WORDS: readonly (readonly [RegExp, TaskId])[] = [
  [/lip-?\s?sync/, 'video.lipsync'],
  [/background|rembg|matting/, 'image.background'],
  [/text-to-speech|tts(?![a-z])|speech|voice/, 'audio.speech'],
  [/music|sound|text-to-audio|sfx/, 'audio.music'],
];

interface DescribedModel {
  name: string;
  /** Such as `image-to-video`. */
  category: string | null;
  example: ModelExample | null;
}

const CATEGORY_PATTERN = /^(text|image|video|audio|speech|3d)-to-([a-z0-9]+)$/;
const MEDIA_WORDS: Readonly<Record<string, ExampleKind>> = {
  image: 'image',
  video: 'video',
  audio: 'audio',
  speech: 'audio',
  music: 'audio',
  '3d': 'mesh',
};

/** What a model makes: as its example shows, else what its category or its schema says. */
function madeKind({ category, example }: DescribedModel, { output }: Pick<NormalizedModel, 'output'>): string | null {
  const byExample = mainKind(kindsInExample(example?.output));
  if (byExample !== null && byExample !== 'archive') return byExample;
  const [, , target] = CATEGORY_PATTERN.exec(category ?? '') ?? [];
  const wanted = target === undefined ? undefined : (MEDIA_WORDS[target] ?? 'data');
  const kinds = output.files.map(({ kind }) => kind);
  if (wanted === 'mesh' || wanted === 'data') return wanted;
  if (wanted && kinds.includes(wanted as (typeof kinds)[number])) return wanted;
  return kinds.find((kind) => kind !== null && kind !== 'file') ?? null;
}

/** The kinds of files that a model works on: those of its example, else those of its category or its form. */
function takenKinds({ category, example }: DescribedModel, { media }: Pick<NormalizedModel, 'media'>): Set<string> {
  const byExample = kindsInExample(example?.input);
  if (byExample.length > 0) return new Set(byExample.map((kind) => (kind === 'animation' ? 'image' : kind)));
  const [, source] = CATEGORY_PATTERN.exec(category ?? '') ?? [];
  if (source === undefined) return new Set(Object.values(media));
  return new Set(MEDIA_WORDS[source] ? [MEDIA_WORDS[source]] : []);
}

/** Suggests what a model does; the administrator confirms it. */
export function suggestTask(model: DescribedModel, normalized: Pick<NormalizedModel, 'media' | 'output'>): TaskId {
  const words = `${model.category ?? ''} ${model.name}`.toLowerCase();
  const makes = madeKind(model, normalized);
  const takes = takenKinds(model, normalized);
  if (/upscal|super-?resolution/.test(words)) {
    if (makes === 'image') return 'image.upscale';
    if (makes === 'video') return 'video.upscale';
  }
  const named = WORDS.find(([pattern, task]) => pattern.test(words) && makes === task.split('.')[0]);
  if (named) return named[1];
  if (makes === 'image') return takes.has('image') ? 'image.edit' : 'image.create';
  if (makes === 'video') return takes.has('video') ? 'video.edit' : 'video.create';
  return makes === 'audio' ? 'audio.music' : 'other.run';
}
