import * as z from 'zod/mini';
import { jsonObject } from '../primitives.ts';
import type { OutputContract } from '../task.ts';
import { PLATFORMS } from '../tasks/social-search.ts';

const dateTime = z.iso.datetime({ offset: true });
const optionalText = () => z.optional(z.nullable(z.string()));
const optionalCount = () => z.optional(z.nullable(z.int()));

/** Spec: Task contracts: social.search */
export const SearchItem = z.strictObject({
  id: z.string(),
  platform: z.enum(PLATFORMS),
  url: z.string(),
  creator: z.strictObject({
    display_name: optionalText(),
    follower_count: optionalCount(),
    profile_url: optionalText(),
    username: optionalText(),
  }),
  caption: optionalText(),
  duration_seconds: z.optional(z.nullable(z.number())),
  hashtags: z.optional(z.nullable(z.array(z.string()))),
  image_urls: z.optional(z.nullable(z.array(z.string()))),
  media_type: z._default(z.enum(['video', 'carousel']), 'video'),
  metrics: z.optional(
    z.strictObject({
      comments: optionalCount(),
      likes: optionalCount(),
      shares: optionalCount(),
      views: optionalCount(),
    }),
  ),
  published_at: z.optional(z.nullable(dateTime)),
  thumbnail_url: optionalText(),
});
export type SearchItem = z.infer<typeof SearchItem>;

/** Spec: Task contracts: video.split_scenes */
const Scene = z.strictObject({
  asset_index: z.int().check(z.gte(0)),
  start_seconds: z.number().check(z.gte(0)),
  end_seconds: z.number().check(z.gte(0)),
  duration_seconds: z.number().check(z.gt(0)),
});

/** Schemas of `output.data`, by the name that a task's contract gives. Spec: Task contracts */
export const OUTPUT_DATA = {
  any: z.nullable(jsonObject()),
  duration: z.nullable(z.looseObject({ duration_seconds: z.optional(z.nullable(z.number())) })),
  dimensions: z.nullable(
    z.looseObject({ width: z.optional(z.nullable(z.int())), height: z.optional(z.nullable(z.int())) }),
  ),
  scenes: z.looseObject({
    scene_count: z.int().check(z.gte(1)),
    fps: z.number().check(z.gt(0)),
    total_frame_count: z.int().check(z.gte(1)),
    scenes: z.array(Scene),
  }),
  search: z.strictObject({
    platform: z.enum(PLATFORMS),
    query: z.string(),
    count: z.int().check(z.gte(0)),
    videos: z.array(SearchItem),
  }),
} as const satisfies Record<OutputContract['data'], z.ZodMiniType>;
