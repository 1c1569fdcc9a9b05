import * as z from 'zod/mini';
import { INVALID_REQUEST, defineEndpoint } from '../endpoint.ts';
import { ENDPOINT_ROUTES } from '../endpoint-routes.ts';
import { listSchema, pathId, queryInteger, querySchema } from '../primitives.ts';
import { Tag, TagUpdate, TagValue } from '../resources/tag.ts';
import { MAX_TAG_VALUE_LENGTH } from '../tag-limits.ts';

const tagParams = z.object({ tag_name: pathId() });

export const tagEndpoints = {
  list_tags: defineEndpoint({
    ...ENDPOINT_ROUTES.list_tags,
    tag: 'Tags',
    summary: 'List the tags of the organization',
    status: 200,
    response: listSchema(Tag),
    errors: {},
    addition: true,
  }),
  list_tag_values: defineEndpoint({
    ...ENDPOINT_ROUTES.list_tag_values,
    tag: 'Tags',
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
    addition: true,
  }),
  set_tag: defineEndpoint({
    ...ENDPOINT_ROUTES.set_tag,
    tag: 'Tags',
    summary: 'Define or change a tag; at most five',
    params: tagParams,
    body: TagUpdate,
    status: 200,
    response: Tag,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
    addition: true,
  }),
  delete_tag: defineEndpoint({
    ...ENDPOINT_ROUTES.delete_tag,
    tag: 'Tags',
    summary: 'Remove a tag; work keeps the values that it has',
    params: tagParams,
    status: 204,
    response: null,
    errors: { 404: ['not_found'], 422: INVALID_REQUEST },
    addition: true,
  }),
} as const;
