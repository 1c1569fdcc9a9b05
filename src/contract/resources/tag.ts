import * as z from 'zod/mini';
import { line } from '../one-line.ts';
import { defineEndpoints, INVALID_REQUEST } from '#contract/api/endpoint.ts';
import { MAX_TAG_VALUE_LENGTH } from '../limits.ts';
import { listSchema, pathId, queryInteger, querySchema, timestamp } from '../primitives.ts';

export const tagName = () =>
  z
    .string()
    .check(z.regex(/^[a-z][a-z0-9_]{0,31}$/, 'Use lower-case letters, digits and underscores, at most 32 characters.'));
const tagValue = () => line(MAX_TAG_VALUE_LENGTH);

const tagFields = {
  /** What people see, such as “Client”. */
  label: z.string(),
  /** People must choose a value. */
  required: z.boolean(),
  /** null: any text of at most 64 characters. */
  values: z.nullable(z.array(z.string())),
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

const TagUpdate = z.strictObject({
  ...tagFields,
  label: line(40),
  values: z.nullable(z.array(tagValue()).check(z.minLength(1), z.maxLength(200))),
});

const tagParams = z.object({ tag_name: pathId() });

export const tagEndpoints = defineEndpoints('Tags', {
  list_tags: {
    summary: 'List the tags of the organization',
    status: 200,
    response: listSchema(Tag),
    errors: {},
  },
  list_tag_values: {
    summary: 'List recent values of a tag, the latest first; of one’s own work where members see no other',
    params: tagParams,
    query: querySchema({
      limit: queryInteger(20, 1, 100),
      /** Part of the value, in upper or lower case. */
      q: z.optional(z.string().check(z.maxLength(MAX_TAG_VALUE_LENGTH))),
    }),
    status: 200,
    response: listSchema(TagValue),
    errors: { 422: INVALID_REQUEST },
  },
  set_tag: {
    summary: 'Define or change a tag; at most five',
    params: tagParams,
    body: TagUpdate,
    status: 200,
    response: Tag,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
  },
  delete_tag: {
    summary: 'Remove a tag; work keeps the values that it has',
    params: tagParams,
    status: 204,
    response: null,
    errors: { 404: ['not_found'], 422: INVALID_REQUEST },
  },
});
