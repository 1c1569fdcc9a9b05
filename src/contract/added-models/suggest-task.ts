import type { TaskId } from '../ids.ts';
import type { NormalizedModel } from './normalize-schema.ts';

/** By words of the model's name and category, the most telling first. */
const WORDS: readonly (readonly [RegExp, TaskId])[] = [
  [/lip-?\s?sync/, 'video.lipsync'],
  [/background|rembg|matting/, 'image.background'],
  [/text-to-speech|\btts\b|speech|voice/, 'audio.speech'],
  [/music|sound|text-to-audio|sfx/, 'audio.music'],
];

/** Suggests what a model does; the administrator confirms it. */
export function suggestTask(
  { name, category }: { name: string; category: string | null },
  { media, output }: Pick<NormalizedModel, 'media' | 'output'>,
): TaskId {
  const words = `${category ?? ''} ${name}`.toLowerCase();
  const makes = output.files.find(({ kind }) => kind !== null)?.kind ?? null;
  const takes = new Set(Object.values(media));
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
