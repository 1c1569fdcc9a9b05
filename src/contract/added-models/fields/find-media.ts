import { type Json, property } from '#contract/json-value.ts';
import type { FieldSource } from './field-reading.ts';
import { guessPolarity, type MaskPolarity } from './mask-polarity.ts';
import { guessReferenceKind, kindOfExamples, type ReferenceKind } from './media-kind.ts';

export interface FoundMedia {
  media: ReferenceKind | null;
  /** What the schema alone says, if that is something else. */
  schema_media?: ReferenceKind | null;
  /** Of an image that looks like a mask. */
  polarity?: MaskPolarity;
}

/**
 * The file that a text takes: by the administrator's correction, by what an earlier version took for the same schema, by
 * examples, or by its name and description.
 */
export function findMedia({ name, context }: FieldSource, schema: Json): FoundMedia {
  const { overrides, at } = context;
  const override = Object.hasOwn(overrides, at + name) ? overrides[at + name] : undefined;
  switch (override) {
    case undefined: {
      const found = guessMedia({ name, context }, schema);
      const polarity = found.media === 'image' ? guessPolarity(name, schema) : null;
      return polarity === null ? found : { ...found, polarity };
    }
    case 'mask':
      return { media: 'image', polarity: 'white' };
    case 'inverted_mask':
      return { media: 'image', polarity: 'black' };
    case 'transparent_mask':
      return { media: 'image', polarity: 'transparent' };
    case 'text':
      return { media: null };
    default:
      return { media: override };
  }
}

function guessMedia({ name, context }: Pick<FieldSource, 'name' | 'context'>, schema: Json): FoundMedia {
  const { origin, category, example, known, at } = context;
  const bySchema = guessReferenceKind(origin, name, schema, category);
  const byExample = kindOfExamples(schema, example, bySchema);
  // A text with a link to a picture in its example takes pictures, whatever its name.
  const isTaken = bySchema !== null || (origin !== 'other' && byExample !== null && byExample !== 'file');
  const before = known && property(known.media, at + name);
  const stored = known && property(known.schema_media, at + name);
  const isSame = typeof before === 'string' && (stored === undefined ? before : stored) === bySchema;
  const media = isSame ? (before as ReferenceKind) : isTaken ? (byExample ?? bySchema) : null;
  return media === bySchema ? { media } : { media, schema_media: bySchema };
}
