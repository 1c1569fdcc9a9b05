import * as z from 'zod/mini';
import type { Bill } from '#server/models/engine/job-cost.ts';
import { computeTokenCost } from '#server/models/engine/token-cost.ts';

/** Dollars per million tokens. */
export interface OmniPrices {
  input: number;
  /** Text and thoughts. */
  text_output: number;
  video_output: number;
}

const modalityTokens = z.array(z.object({ modality: z.nullish(z.string()), tokens: z.nullish(z.number()) }));
const usageSchema = z.object({
  total_input_tokens: z.nullish(z.number()),
  total_output_tokens: z.nullish(z.number()),
  total_thought_tokens: z.nullish(z.number()),
  output_tokens_by_modality: z.nullish(modalityTokens),
});

const problemSchema = z.object({ code: z.nullish(z.union([z.string(), z.number()])), message: z.nullish(z.string()) });
const contentSchema = z.object({
  type: z.nullish(z.string()),
  text: z.nullish(z.string()),
  uri: z.nullish(z.string()),
  data: z.nullish(z.string()),
});
const stepSchema = z.object({
  type: z.nullish(z.string()),
  content: z.nullish(z.array(contentSchema)),
  error: z.nullish(problemSchema),
});

export type VideoContent = { uri: string } | { base64: string };

/** The used fields of an `Interaction` of js-genai 3.1.0, with its outputs collected. */
export const interactionSchema = z.pipe(
  z.object({
    id: z.string().check(z.regex(/^[\w.=+-]{1,1000}$/)),
    status: z.string(),
    steps: z.nullish(z.array(stepSchema)),
    errors: z.nullish(z.array(problemSchema)),
    // Read apart, so that a paid video is not lost over an unknown form of its usage.
    usage: z.optional(z.unknown()),
  }),
  z.transform(({ id, status, steps, errors, usage }) => {
    const outputs = (steps ?? []).filter(({ type }) => type === 'model_output');
    const contents = outputs.flatMap(({ content }) => content ?? []);
    const problems = [...(errors ?? []), ...outputs.flatMap(({ error }) => (error ? [error] : []))];
    return {
      id,
      status,
      usage: usageSchema.safeParse(usage).data ?? null,
      videos: contents.flatMap(({ type, uri, data }): VideoContent[] => {
        if (type !== 'video') return [];
        if (uri) return [{ uri }];
        return data ? [{ base64: data }] : [];
      }),
      text: contents
        .map(({ text }) => text ?? '')
        .join(' ')
        .trim(),
      problems: problems.map(({ code, message }) => ({ code: String(code ?? ''), message: message ?? '' })),
    };
  }),
);
export type Interaction = z.infer<typeof interactionSchema>;

/** Computes what Google charges, in micro-dollars. Without details, all output counts as video. */
export function computeOmniCost(prices: OmniPrices, { usage }: Pick<Interaction, 'usage'>): Bill | null {
  if (usage === null) return null;
  const output = usage.total_output_tokens ?? 0;
  const details = usage.output_tokens_by_modality;
  const video = details
    ? details
        .filter(({ modality }) => modality?.toLowerCase() === 'video')
        .reduce((sum, { tokens }) => sum + (tokens ?? 0), 0)
    : output;
  return computeTokenCost([
    { tokens: usage.total_input_tokens ?? 0, usd_per_million: prices.input },
    { tokens: video, usd_per_million: prices.video_output },
    { tokens: Math.max(0, output - video), usd_per_million: prices.text_output },
    { tokens: usage.total_thought_tokens ?? 0, usd_per_million: prices.text_output },
  ]);
}
