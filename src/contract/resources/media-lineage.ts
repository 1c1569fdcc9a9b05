import * as z from 'zod/mini';
import { BILLING_STATUSES, GENERATION_STATUSES } from '../generation-status.ts';
import { id, modelId, taskId, timestamp, usd } from '../primitives.ts';
import { MEDIA_ORIGINS, MEDIA_TYPES, MediaItem, mediaIdSchema } from './media.ts';

const nodeFields = {
  /** Steps from the medium that was asked about: below zero what it was made from, above zero what was made of it. */
  distance: z.int(),
};

const MediaNode = z.strictObject({
  ...nodeFields,
  kind: z.literal('media'),
  id: mediaIdSchema(),
  origin: z.enum(MEDIA_ORIGINS),
  type: z.enum(MEDIA_TYPES),
  /** null: it was deleted since. */
  media: z.nullable(MediaItem),
});

const GenerationNode = z.strictObject({
  ...nodeFields,
  kind: z.literal('generation'),
  id: id('gen'),
  task: taskId(),
  model: z.nullable(modelId()),
  status: z.enum(GENERATION_STATUSES),
  /** Its prompt or query, 300 characters at most. */
  prompt: z.nullable(z.string()),
  /** What it cost: its charge less refunds; while it runs its reservation. */
  amount_usd: usd(),
  billing_status: z.enum(BILLING_STATUSES),
  /** References that lead elsewhere, and so are not in the graph. */
  external_references: z.int(),
  created_at: timestamp(),
});

/** What a medium was made from, and what was made of it. */
export const MediaLineage = z.strictObject({
  object: z.literal('media_lineage'),
  /** The medium that was asked about. */
  id: mediaIdSchema(),
  /** By distance, then oldest first. */
  nodes: z.array(z.discriminatedUnion('kind', [MediaNode, GenerationNode])),
  /** From a medium to the generation that took it, or from a generation to what it made. */
  edges: z.array(
    z.strictObject({
      from: z.string(),
      to: z.string(),
      /** Where in the input, such as `reference_images.0`; null for what was made. */
      field: z.nullable(z.string()),
    }),
  ),
  /** There is more than is told: further away, or beside. */
  truncated: z.boolean(),
  /** Of the generations in `nodes`, each once. */
  cost: z.strictObject({
    total_usd: usd(),
    /** Up to and with the one that made the medium. */
    made_usd: usd(),
    /** Of those that were made of it. */
    used_usd: usd(),
  }),
});
export type MediaLineage = z.infer<typeof MediaLineage>;
