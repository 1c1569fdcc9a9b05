import { maskedPath } from '#contract/task-input.ts';
import type { FieldSpec, InputContract } from '#contract/task.ts';
import { isThere, nestedName, readPath, splitName, writeValue } from './values/field-path.ts';
import { initialValue, readList, readReferences, type FormValues } from './values/form-values.ts';

/** The medium at a place of the form: `video`, `images.0`, `elements/1/image`. */
function mediaUrl(values: FormValues, place: string): string | undefined {
  const [name = '', index = '0'] = place.split('.');
  return readReferences(readPath(values, name))[Number(index)]?.url;
}

/** A field of the form that belongs to a medium: a time of a clip, the mask of a picture. */
interface TiedField {
  field: FieldSpec;
  /** In the form, as is the place of its medium. */
  name: string;
  place: string;
}

function tiedFields({ fields }: InputContract, values: FormValues): TiedField[] {
  const tie = (beside: readonly FieldSpec[], holder: string): TiedField[] =>
    beside.flatMap((field) => {
      const of = 'time_of' in field ? field.time_of : 'mask' in field ? field.mask?.of : undefined;
      if (of === undefined) return [];
      return [{ field, name: holder + field.name, place: maskedPath(beside, { of }, holder) }];
    });
  const inside = fields.flatMap((field) => {
    if (field.kind === 'group') return tie(field.fields, nestedName(field.name, ''));
    if (field.kind !== 'rows') return [];
    return readList(values[field.name]).flatMap((_, at) => tie(field.fields, nestedName(field.name, at, '')));
  });
  return [...tie(fields, ''), ...inside];
}

/** The medium that a field belongs to. @param name of the field in the form */
export function tiedMediaUrl(contract: InputContract, values: FormValues, name: string): string | undefined {
  const tied = tiedFields(contract, values).find((each) => each.name === name);
  return tied && mediaUrl(values, tied.place);
}

/** Returns the top values that hold these fields. @param entries names in the form, with their values */
const writeFields = (values: FormValues, entries: readonly (readonly [name: string, value: unknown])[]): FormValues => {
  const written = entries.reduce((all, [name, value]) => writeValue(all, name, value), values);
  return Object.fromEntries(entries.map(([name]) => splitName(name).top).map((top) => [top, written[top]]));
};

/** Returns the values that belong to a medium which was removed or replaced, as they are without it: times, masks. */
export function staleValues(contract: InputContract, before: FormValues, after: FormValues): FormValues {
  const stale = tiedFields(contract, after).filter(({ name, place }) => {
    if (!isThere(after, name) || readPath(after, name) !== readPath(before, name)) return false;
    const previous = mediaUrl(before, place);
    return previous !== undefined && previous !== mediaUrl(after, place);
  });
  return writeFields(
    after,
    stale.map(({ field, name }) => [name, initialValue(field)]),
  );
}

interface DroppedMasks {
  count: number;
  /** The values with them and their pictures. */
  undo: (now: FormValues) => FormValues;
}

/** The masks that a change dropped with their pictures; null if none. Those of a removed row or group went with it. */
export function droppedMasks(contract: InputContract, before: FormValues, after: FormValues): DroppedMasks | null {
  const rowCount = (values: FormValues, name: string) => readList(values[splitName(name).top]).length;
  const dropped = tiedFields(contract, before).filter(
    ({ field, name, place }) =>
      'mask' in field &&
      isThere(after, name) &&
      (name === field.name || rowCount(before, name) === rowCount(after, name)) &&
      mediaUrl(before, name) !== undefined &&
      mediaUrl(after, name) === undefined &&
      mediaUrl(before, place) !== mediaUrl(after, place),
  );
  if (dropped.length === 0) return null;
  const names = new Set(dropped.flatMap(({ name, place }) => [place.split('.')[0] ?? '', name]));
  const undo = (now: FormValues) =>
    writeFields(
      now,
      [...names].filter((name) => isThere(now, name)).map((name) => [name, readPath(before, name)]),
    );
  return { count: dropped.length, undo };
}
