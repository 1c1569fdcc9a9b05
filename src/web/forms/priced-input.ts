import type { ErrorDetail } from '#contract/errors.ts';
import type { MediaLengths } from '#contract/estimate.ts';
import type { Field, InputContract, TextField } from '#contract/task.ts';
import { initialValue, referencesOf, toInput, type Values } from '#web/forms/input-values.ts';
import type { Judge } from '#web/forms/judge.ts';
import type { MediaInfo } from '#web/forms/media-info.ts';

/** What can be priced of a form as it stands. */
export type Priced =
  | { kind: 'order'; input: Record<string, unknown> }
  | { kind: 'partial'; input: Record<string, unknown> }
  | { kind: 'blocked'; reason: string };

const isMedia = (field: Field | undefined) => field?.kind === 'reference' || field?.kind === 'references';

const wordsFor = (field: TextField) =>
  (field.placeholder ?? '').padEnd(field.min_length, '.').slice(0, field.max_length ?? undefined);

/** Words cost nothing: where none are typed yet, the price of any others is the price. */
function withWords(contract: InputContract, input: Record<string, unknown>, wanting: (field: TextField) => boolean) {
  const words = contract.fields.flatMap((field) =>
    field.kind === 'text' && wanting(field) ? [[field.name, wordsFor(field)]] : [],
  );
  return { ...input, ...Object.fromEntries(words) };
}

const fieldsOf = (details: readonly ErrorDetail[]) => new Set(details.map(({ path }) => path.split('.')[1] ?? ''));
/** A time in a video that is not chosen yet says nothing of the price. */
const isTime = (field: Field | undefined) => field !== undefined && 'time_of' in field && field.time_of !== undefined;

const toChoose = ({ label }: Field) => `Choose the ${label.toLowerCase()} to see the price.`;

const partial = (contract: InputContract, input: Record<string, unknown>): Priced => {
  const defaults = contract.fields.map((field) => [field.name, input[field.name] ?? initialValue(field)]);
  return { kind: 'partial', input: Object.fromEntries(defaults) };
};

/**
 * What to ask the price of. `order`: the service can be asked, with this input. `partial`: files are missing or a rule is
 * not kept, so it can be reckoned here only. `blocked`: something that decides the price is missing or wrong.
 */
export function pricedInput(
  judge: Judge,
  contract: InputContract,
  values: Values,
  local_origin: string | null,
): Priced {
  const given = toInput(contract, values);
  const first = judge(contract, given, local_origin);
  if (first.ok) return { kind: 'order', input: given };
  const wrong = fieldsOf(first.details);
  const input = withWords(contract, given, ({ name }) => wrong.has(name));
  const second = judge(contract, input, local_origin);
  if (second.ok) return { kind: 'order', input };
  const ruled = new Set(contract.rules.map(({ message }) => message));
  const deciding = second.details.find(({ path, message }) => {
    const field = contract.fields.find(({ name }) => name === path.split('.')[1]);
    return !isMedia(field) && !isTime(field) && !ruled.has(message);
  });
  if (!deciding) return partial(contract, input);
  const field = contract.fields.find(({ name }) => name === deciding.path.split('.')[1]);
  const is_open = field?.kind === 'choice' && values[field.name] === undefined;
  return { kind: 'blocked', reason: is_open ? toChoose(field) : `No price yet. ${deciding.message}` };
}

/** The same for a form that nobody has touched: all in it is right, and what is required may be missing. */
export function pricedBlank(contract: InputContract, values: Values): Priced {
  const input = withWords(contract, toInput(contract, values), () => true);
  const missing = contract.fields.filter((field) => {
    const required =
      'required' in field ? field.required === true : field.kind === 'choice' && field.default === undefined;
    return required && !(field.name in input);
  });
  const deciding = missing.find((field) => !isMedia(field) && !isTime(field));
  if (deciding) return { kind: 'blocked', reason: toChoose(deciding) };
  return missing.length > 0 ? partial(contract, input) : { kind: 'order', input };
}

/** Lengths of the media that the task works on, as far as they are known. */
export function mediaLengths(
  contract: InputContract,
  values: Values,
  infoOf: (url: string) => MediaInfo | undefined,
): MediaLengths {
  const secondsOf = (media: 'video' | 'audio') => {
    const field = contract.fields.find((each) => each.kind === 'reference' && each.required && each.media === media);
    const url = field && referencesOf(values[field.name])[0]?.url;
    return (url && infoOf(url)?.duration_seconds) || undefined;
  };
  const [video_seconds, audio_seconds] = [secondsOf('video'), secondsOf('audio')];
  return { ...(video_seconds ? { video_seconds } : {}), ...(audio_seconds ? { audio_seconds } : {}) };
}
