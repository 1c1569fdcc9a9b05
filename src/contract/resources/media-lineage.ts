import * as z from 'zod/mini';
import { defineEndpoints } from '#contract/api/endpoint.ts';
import { id, modelId, queryInteger, querySchema, taskId, timestamp, usd } from '../primitives.ts';
import { BILLING_STATUSES, GENERATION_STATUSES, MEDIA_ORIGINS } from '../statuses.ts';
import { mediaIdSchema, MediaItem, mediaParams, UNKNOWN_MEDIA } from './media.ts';
import { MEDIA_KINDS } from '../task.ts';

const nodeFields = {
  /** Distance from the requested item: negative towards its sources, positive towards its results. */
  distance: z.int(),
};

const MediaNode = z.strictObject({
  ...nodeFields,
  kind: z.literal('media'),
  id: mediaIdSchema(),
  origin: z.enum(MEDIA_ORIGINS),
  type: z.enum(MEDIA_KINDS),
  /** null: deleted. */
  media: z.nullable(MediaItem),
});

const GenerationNode = z.strictObject({
  ...nodeFields,
  kind: z.literal('generation'),
  id: id('gen'),
  task: taskId(),
  model: z.nullable(modelId()),
  status: z.enum(GENERATION_STATUSES),
  /** Prompt or query, at most 300 characters. */
  prompt: z.nullable(z.string()),
  /** Charge less refunds; the reservation while the generation is unfinished. */
  amount_usd: usd(),
  billing_status: z.enum(BILLING_STATUSES),
  /** Number of references to URLs outside of this service, which are not in the graph. */
  external_references: z.int(),
  created_at: timestamp(),
});

/** The sources and results of a media item. */
export const MediaLineage = z.strictObject({
  object: z.literal('media_lineage'),
  id: mediaIdSchema(),
  /** By distance, then oldest first. */
  nodes: z.array(z.discriminatedUnion('kind', [MediaNode, GenerationNode])),
  /** From an input to its generation, or from a generation to its output. */
  edges: z.array(
    z.strictObject({
      from: z.string(),
      to: z.string(),
      /** Input field, such as `reference_images.0`; null for outputs. */
      field: z.nullable(z.string()),
    }),
  ),
  truncated: z.boolean(),
  /** Cost of the generations in `nodes`, each counted once. */
  cost: z.strictObject({
    total_usd: usd(),
    /** Up to and including the generation that made the item. */
    made_usd: usd(),
    used_usd: usd(),
  }),
});
export type MediaLineage = z.infer<typeof MediaLineage>;

export const mediaLineageEndpoints = defineEndpoints('Media', {
  get_media_lineage: {
    summary: 'Read the lineage of a media item: sources, results and cost',
    params: mediaParams,
    query: querySchema({
      /** Maximum number of generations in each direction. */
      depth: queryInteger(10, 1, 50),
      limit: queryInteger(200, 10, 500),
    }),
    status: 200,
    response: MediaLineage,
    errors: UNKNOWN_MEDIA,
  },
});
