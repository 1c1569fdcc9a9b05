import * as z from 'zod/mini';
import { MODEL_IDS, TASK_IDS } from '../ids.ts';
import { timestamp } from '../primitives.ts';
import { CatalogDisplay } from './catalog.ts';

/** A model or task id. */
const CATALOG_IDS = [...MODEL_IDS, ...TASK_IDS] as const;
export type CatalogId = (typeof CATALOG_IDS)[number];

export const isCatalogId = (id: string): id is CatalogId => CATALOG_IDS.some((known) => known === id);

export const CATALOG_LABEL_LIMITS = { name: 60, description: 160 } as const;

const line = (max_length: number) =>
  z
    .string()
    .check(
      z.trim(),
      z.minLength(1),
      z.maxLength(max_length),
      z.regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'Enter one line of text.'),
    );

export const CatalogLabelUpdate = z.strictObject({
  name: line(CATALOG_LABEL_LIMITS.name),
  description: z._default(z.nullable(line(CATALOG_LABEL_LIMITS.description)), null),
});
export type CatalogLabelUpdate = z.infer<typeof CatalogLabelUpdate>;

/** The name of a model or task in this installation. */
export const CatalogLabel = z.strictObject({
  id: z.enum(CATALOG_IDS),
  object: z.literal('catalog_label'),
  ...CatalogDisplay.shape,
  updated_at: timestamp(),
});
export type CatalogLabel = z.infer<typeof CatalogLabel>;
