import type { ErrorDetail } from '#contract/api/errors.ts';
import type { MeasuredFile, MediaLengths } from '#contract/money/estimate.ts';
import { property } from '#contract/json-value.ts';
import type { FieldSpec, InputContract, NumberFieldSpec, TextFieldSpec } from '#contract/task.ts';
import { initialValue, readList, readReferences, readRow, toInput, type FormValues } from './form-values.ts';
import type { Validator } from './validator.ts';
import type { ReferenceInfo } from '#web/api/reference-info.ts';

export type PriceableInput =
  | { kind: 'complete'; input: Record<string, unknown> }
  | { kind: 'partial'; input: Record<string, unknown> }
  | { kind: 'blocked'; reason: string };

const isMedia = (field: FieldSpec | undefined) => field?.kind === 'reference' || field?.kind === 'references';

const placeholderText = (field: TextFieldSpec) =>
  (field.placeholder ?? '').padEnd(field.min_length, '.').slice(0, field.max_length ?? undefined);

/** Texts do not change the price. */
function fillTexts(
  contract: InputContract,
  input: Record<string, unknown>,
  isMissing: (field: TextFieldSpec) => boolean,
) {
  const texts = contract.fields.flatMap((field) =>
    field.kind === 'text' && field.required && isMissing(field) ? [[field.name, placeholderText(field)]] : [],
  );
  return { ...input, ...Object.fromEntries(texts) };
}

const fieldNames = (details: readonly ErrorDetail[]) => new Set(details.map(({ path }) => path.split('.')[1] ?? ''));
/** Clip times do not change the price. */
const isClipTime = (field: FieldSpec | undefined) =>
  field !== undefined && 'time_of' in field && field.time_of !== undefined;

const chooseFieldMessage = ({ label }: FieldSpec) => `Choose the ${label.toLowerCase()} to see the price.`;

const toPartialInput = (contract: InputContract, input: Record<string, unknown>): PriceableInput => {
  const defaults = contract.fields.map((field) => [field.name, property(input, field.name) ?? initialValue(field)]);
  return { kind: 'partial', input: Object.fromEntries(defaults) };
};

/**
 * `complete`: the service can estimate the input. `partial`: files are missing or a rule is violated, so only the dashboard
 * can. `blocked`: a value that decides the price is missing or invalid.
 */
export function toPriceableInput(
  parse: Validator,
  contract: InputContract,
  values: FormValues,
  localOrigin: string | null,
): PriceableInput {
  const complete = toInput(contract, values);
  const first = parse(contract, complete, localOrigin);
  if (first.ok) return { kind: 'complete', input: complete };
  const invalid = fieldNames(first.details);
  const input = fillTexts(contract, complete, ({ name }) => invalid.has(name));
  const second = parse(contract, input, localOrigin);
  if (second.ok) return { kind: 'complete', input };
  const ruleMessages = new Set(contract.rules.map(({ message }) => message));
  const deciding = second.details.find(({ path, message }) => {
    const field = contract.fields.find(({ name }) => name === path.split('.')[1]);
    return !isMedia(field) && !isClipTime(field) && !ruleMessages.has(message);
  });
  if (!deciding) return toPartialInput(contract, input);
  const field = contract.fields.find(({ name }) => name === deciding.path.split('.')[1]);
  const isUnset = (field?.kind === 'choice' || field?.kind === 'size') && values[field.name] === undefined;
  return { kind: 'blocked', reason: isUnset ? chooseFieldMessage(field) : `No price yet. ${deciding.message}` };
}

/** The first number that was typed and has no price, at any depth. */
function findInvalidNumber(fields: readonly FieldSpec[], values: FormValues): FieldSpec | undefined {
  const isInvalid = ({ min, max }: NumberFieldSpec, value: unknown) =>
    typeof value === 'number' && !(value >= (min ?? -Infinity) && value <= (max ?? Infinity));
  return fields.find((field) => {
    const value = values[field.name];
    if (field.kind === 'number' || field.kind === 'integer') return isInvalid(field, value);
    if (field.kind === 'list') {
      const { item } = field;
      return (
        (item.kind === 'number' || item.kind === 'integer') && readList(value).some((each) => isInvalid(item, each))
      );
    }
    if (field.kind !== 'group' && field.kind !== 'rows') return false;
    const objects = field.kind === 'rows' ? readList(value) : [value];
    return objects.some((each) => findInvalidNumber(field.fields, readRow(each)) !== undefined);
  });
}

/** Before the validator is loaded: required values may be missing, and numbers may be half typed. */
export function toPriceableBlank(contract: InputContract, values: FormValues): PriceableInput {
  const invalid = findInvalidNumber(contract.fields, values);
  if (invalid) return { kind: 'blocked', reason: `No price yet. ${invalid.label} is invalid.` };
  const input = fillTexts(contract, toInput(contract, values), () => true);
  const missing = contract.fields.filter((field) => {
    const required =
      'required' in field
        ? field.required === true
        : (field.kind === 'choice' || field.kind === 'size') && field.default === undefined;
    return required && !Object.hasOwn(input, field.name);
  });
  const deciding = missing.find((field) => !isMedia(field) && !isClipTime(field));
  if (deciding) return { kind: 'blocked', reason: chooseFieldMessage(deciding) };
  return missing.length > 0 ? toPartialInput(contract, input) : { kind: 'complete', input };
}

export function mediaLengths(
  contract: InputContract,
  values: FormValues,
  findInfo: (url: string) => ReferenceInfo | undefined,
): MediaLengths {
  const secondsOf = (media: 'video' | 'audio') => {
    const field = contract.fields.find((each) => each.kind === 'reference' && each.required && each.media === media);
    const url = field && readReferences(values[field.name])[0]?.url;
    return (url && findInfo(url)?.duration_seconds) || undefined;
  };
  const [video_seconds, audio_seconds] = [secondsOf('video'), secondsOf('audio')];
  const files = contract.fields.flatMap((field) => {
    const url = field.kind === 'reference' ? readReferences(values[field.name])[0]?.url : undefined;
    const info = url === undefined ? undefined : findInfo(url);
    return info ? [[field.name, toMeasuredFile(info)] as const] : [];
  });
  return {
    ...(video_seconds ? { video_seconds } : {}),
    ...(audio_seconds ? { audio_seconds } : {}),
    ...(files.length > 0 ? { files: Object.fromEntries(files) } : {}),
  };
}

const toMeasuredFile = ({ duration_seconds, width, height }: ReferenceInfo): MeasuredFile => ({
  ...(duration_seconds === null ? {} : { seconds: duration_seconds }),
  ...(width === null ? {} : { width }),
  ...(height === null ? {} : { height }),
});
