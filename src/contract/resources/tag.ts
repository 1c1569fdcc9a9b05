import * as z from 'zod/mini';
import { timestamp } from '../primitives.ts';
import { MAX_TAG_VALUE_LENGTH } from '../tag-limits.ts';

export const tagName = () =>
  z
    .string()
    .check(z.regex(/^[a-z][a-z0-9_]{0,31}$/, 'Use lower-case letters, digits and underscores, at most 32 characters.'));
const tagValue = () => z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_TAG_VALUE_LENGTH));

const tagFields = {
  /** What people see, such as “Client”. */
  label: z.string().check(z.trim(), z.minLength(1), z.maxLength(40)),
  /** People must choose a value. */
  required: z.boolean(),
  /** null: any text of at most 64 characters. */
  values: z.nullable(z.array(tagValue()).check(z.minLength(1), z.maxLength(200))),
};

/** A property of work that spending is grouped by. Decision: Tags */
export const Tag = z.strictObject({
  object: z.literal('tag'),
  /** The name of its value in `metadata`. */
  name: tagName(),
  ...tagFields,
  updated_at: timestamp(),
});
export type Tag = z.infer<typeof Tag>;

/** A value that work was tagged with. */
export const TagValue = z.strictObject({ object: z.literal('tag_value'), value: z.string() });
export type TagValue = z.infer<typeof TagValue>;

export const TagUpdate = z.strictObject(tagFields);
