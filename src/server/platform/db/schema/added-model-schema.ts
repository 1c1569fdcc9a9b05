import { index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { AddedModelVersion } from '#contract/added-models/definition.ts';
import type { PublishedPrice } from '#contract/added-models/prices/suggest-price.ts';
import type { AddedModelId } from '#contract/ids.ts';
import type { ProviderId } from '#contract/providers.ts';
import type { AddedModelState, ModelAudience, ModelSource } from '#contract/resources/added-model.ts';
import { timestampColumn } from './columns.ts';
import { apiKeys, organizationIdColumn } from './organization-schema.ts';
import { providerConnections } from './provider-schema.ts';

/** What the daily check found. */
export interface ModelDrift {
  found_at: string;
  hash: string;
  changes: { text: string; breaks: boolean }[];
}

/** Models that administrators added by their schemas. A removed one stays, because an id is never reused. */
export const addedModels = pgTable(
  'added_models',
  {
    id: text('id').$type<AddedModelId>().primaryKey(),
    organization_id: organizationIdColumn(),
    connection_id: text('connection_id')
      .notNull()
      .references(() => providerConnections.id),
    provider: text('provider').$type<ProviderId>().notNull(),
    name: text('name').notNull(),
    description: text('description'),
    state: text('state').$type<AddedModelState>().notNull(),
    paused_reason: text('paused_reason'),
    audience: jsonb('audience').$type<ModelAudience>().notNull(),
    sample_asset_id: text('sample_asset_id'),
    /** Generations that tested it, newest first. */
    test_ids: jsonb('test_ids').$type<readonly string[]>().notNull().default([]),
    /** The current version. */
    version: integer('version').notNull(),
    drift: jsonb('drift').$type<ModelDrift>(),
    checked_at: timestampColumn('checked_at'),
    /** null: the command line. */
    created_by: text('created_by').references(() => apiKeys.id),
    created_at: timestampColumn('created_at').notNull(),
    updated_at: timestampColumn('updated_at').notNull(),
  },
  (table) => [index('added_models_organization').on(table.organization_id, table.created_at)],
);

/** Frozen: another schema, task or price is another version. */
export const addedModelVersions = pgTable(
  'added_model_versions',
  {
    model_id: text('model_id')
      .$type<AddedModelId>()
      .notNull()
      .references(() => addedModels.id),
    version: integer('version').notNull(),
    task: text('task').$type<AddedModelVersion['task']>().notNull(),
    provider_model: text('provider_model').notNull(),
    provider_version: text('provider_version'),
    page_url: text('page_url'),
    /** What was inspected, to inspect it again. */
    source: jsonb('source').$type<Omit<ModelSource, 'provider_id'>>().notNull(),
    normalized: jsonb('normalized').$type<AddedModelVersion['normalized']>().notNull(),
    provider_data: jsonb('provider_data').$type<NonNullable<AddedModelVersion['provider_data']>>(),
    price: jsonb('price').$type<AddedModelVersion['price']>().notNull(),
    markup_percent: integer('markup_percent').notNull(),
    published_price: jsonb('published_price').$type<PublishedPrice>(),
    price_text: text('price_text'),
    created_at: timestampColumn('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.model_id, table.version] })],
);
