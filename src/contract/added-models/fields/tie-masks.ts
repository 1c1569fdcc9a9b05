import { rankMediaField } from '#contract/media-roles.ts';
import { type FieldSpec, MASK_HELP, type NestedFieldSpec } from '#contract/task.ts';
import { wordsOf } from './describe-field.ts';
import type { MaskPolarity } from './mask-polarity.ts';

/** Pictures that a model only looks at. */
const LOOKED_AT = ['ref', 'reference', 'references', 'style', 'end', 'last', 'tail'];
const WORKED_ON = ['inpaint', 'inpainting', 'edit', 'source', 'init'];
const PLAIN = ['mask', 'image', 'images', 'img', 'url', 'urls'];

type Polarities = Readonly<Record<string, MaskPolarity>>;

/** The picture that a mask belongs to, as `MaskSpec.of`; null if none does, such as for the mask of a video. */
function pictureOf(mask: FieldSpec, fields: readonly FieldSpec[], isMask: (field: FieldSpec) => boolean) {
  const files = fields.flatMap((field) => ('media' in field && !isMask(field) ? [field] : []));
  if (files.some(({ media }) => media === 'video')) return null;
  const own = wordsOf(mask.name).filter((word) => !PLAIN.includes(word));
  const pictures = files
    .filter(({ media, name }) => media === 'image' && !wordsOf(name).some((word) => LOOKED_AT.includes(word)))
    .map((field) => {
      const words = wordsOf(field.name);
      const shared = own.filter((word) => words.includes(word)).length;
      const works = words.some((word) => WORKED_ON.includes(word));
      return { field, score: 10 * shared + (works ? 5 : 0) - rankMediaField(field) };
    });
  const best = pictures.reduce<(typeof pictures)[number] | null>(
    (found, each) => (found === null || each.score > found.score ? each : found),
    null,
  );
  if (best === null) return null;
  const { name, kind, group } = best.field;
  return { of: kind === 'references' ? `${name}.0` : name, group };
}

/**
 * Ties the masks of a form to their pictures: to one beside them, or else to one of the input.
 * @param polarities of what looks like a mask, by dotted name
 */
export function tieMasks(fields: readonly FieldSpec[], polarities: Polarities): FieldSpec[] {
  const isMaskAt = (at: string) => (field: FieldSpec) => Object.hasOwn(polarities, at + field.name);
  function tie<Field extends FieldSpec>(field: Field, at: string, beside: readonly FieldSpec[]): Field {
    const polarity = isMaskAt(at)(field) ? polarities[at + field.name] : undefined;
    if (field.kind !== 'reference' || polarity === undefined) return field;
    const outer = at === '' ? null : pictureOf(field, fields, isMaskAt(''));
    const picture = pictureOf(field, beside, isMaskAt(at)) ?? outer;
    if (picture === null) return field;
    const group = at === '' ? picture.group : field.group;
    return { ...field, group, help: MASK_HELP, mask: { of: picture.of, polarity } };
  }
  return fields.map((field) =>
    'fields' in field
      ? { ...field, fields: field.fields.map((each): NestedFieldSpec => tie(each, `${field.name}.`, field.fields)) }
      : tie(field, '', fields),
  );
}
