import { type Json, property } from '#contract/json-value.ts';
import type { FieldSource } from './field-reading.ts';
import { guessReferenceKind, kindOfExamples, type ReferenceKind } from './media-kind.ts';

export interface FoundMedia {
  media: ReferenceKind | null;
  /** What the schema alone says, if that is something else. */
  schema_media?: ReferenceKind | null;
}

/**
 * The file that a text takes: by the administrator's correction, by what an earlier version took for the same schema, by
 * examples, or by its name and description.
 */
export function findMedia({ name, context }: FieldSource, schema: Json): FoundMedia {
  const { origin, category, overrides, example, known, at } = context;
  const override = Object.hasOwn(overrides, name) ? overrides[name] : undefined;
  if (override !== undefined) return { media: override === 'text' ? null : override };
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
