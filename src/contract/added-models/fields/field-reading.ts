import { type FieldSpec, MEDIA_KINDS } from '#contract/task.ts';
import type { Json } from '#contract/json-value.ts';
import type { MaskPolarity } from './mask-polarity.ts';
import type { ReferenceKind, SchemaOrigin } from './media-kind.ts';
import type { OutputHints } from '#contract/added-models/output-hints.ts';

/** What an administrator says a text field takes. `text` makes it a plain one; a mask is white where it changes. */
export const MEDIA_OVERRIDES = [...MEDIA_KINDS, 'text', 'mask', 'inverted_mask', 'transparent_mask'] as const;
export type MediaOverride = (typeof MEDIA_OVERRIDES)[number];

export interface SchemaContext {
  origin: SchemaOrigin;
  /** Of the model, such as `image-to-video`. */
  category: string | null;
  /** By field name, dotted inside of objects. */
  overrides: Readonly<Record<string, MediaOverride>>;
  /** The input of a sample run, or the part of it that belongs to an object. */
  example: unknown;
  /** What an earlier version of the model takes. */
  known: KnownMedia | null;
  /** Of the names inside of an object: `elements.`. */
  at: string;
}

/** Kinds of files that were decided before: see `NormalizedModel`. */
export interface KnownMedia {
  media: Readonly<Record<string, ReferenceKind>>;
  schema_media?: Readonly<Record<string, ReferenceKind | null>>;
  output: OutputHints;
}

export interface FieldSource {
  name: string;
  /** As `inlineSchema` returns it. */
  schema: Json;
  /** By the provider, default or not. */
  required: boolean;
  context: SchemaContext;
}

/**
 * How a value is sent where it is not sent as it is. `number`: a text as a number where it is one, and an empty one not
 * at all. `empty_text`: null as an empty text. `no_empty_text`: an empty text not at all.
 */
export type Conversion = 'number' | 'empty_text' | 'no_empty_text';

/** How a property of a model's schema is shown. */
export type FieldReading =
  | {
      kind: 'field';
      field: FieldSpec;
      conversion?: Conversion;
      media?: ReferenceKind;
      /** What the schema alone says of `media`, where an example says something else. */
      schema_media?: ReferenceKind | null;
      /** Of an image that looks like a mask. */
      polarity?: MaskPolarity;
      /** Null is a value for the provider. */
      sends_null?: true;
      /** What the schema takes and the field does not. */
      note?: string;
      /** Of the properties of a group or of rows. */
      nested?: readonly (readonly [name: string, reading: Exclude<FieldReading, { kind: 'unreadable' }>])[];
    }
  /** A constant; undefined: it is left out. */
  | { kind: 'hidden'; value: unknown }
  | { kind: 'unreadable'; reason: string };

export const unreadable = (reason: string): FieldReading => ({ kind: 'unreadable', reason });

export const isNullable = (schema: Json): boolean => schema['nullable'] === true;
