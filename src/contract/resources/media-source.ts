import * as z from 'zod/mini';

/** The post that a picture was saved from. Decision: Saved posts */
export const mediaSourceSchema = () =>
  z.strictObject({
    /** null: it has no HTTPS address. */
    url: z.nullable(z.string()),
    author: z.nullable(z.string()),
    /** At most 300 characters. */
    caption: z.nullable(z.string()),
  });
export type MediaSource = z.infer<ReturnType<typeof mediaSourceSchema>>;
