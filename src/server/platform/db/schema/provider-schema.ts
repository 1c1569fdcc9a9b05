import { boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { ProviderId } from '#contract/providers.ts';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import type { ModelChoice } from '#contract/resources/provider.ts';
import type { TextModel } from '#contract/resources/text-model.ts';
import { microUsdColumn, timestampColumn } from './columns.ts';
import { apiKeys, organizationIdColumn } from './organization-schema.ts';

export interface CostRatio {
  model: AnyModelId;
  since: string;
  /** Decimal billionths. */
  ratio_nano: string;
}

/** Providers connected in the dashboard, for the whole installation. A disconnected one stays while its jobs run. */
export const providerConnections = pgTable('provider_connections', {
  id: text('id').primaryKey(),
  provider: text('provider').$type<ProviderId>().notNull(),
  /** null: the provider's usual address. */
  address: text('address'),
  models: jsonb('models').$type<ModelChoice[]>().notNull(),
  /** Whether the provider draws its visible mark on what it makes. */
  visible_watermark: boolean('visible_watermark').notNull().default(false),
  /** What the provider bills of its list prices, from a time on, the latest last. Decision: Closing */
  cost_ratios: jsonb('cost_ratios').$type<readonly CostRatio[]>().notNull().default([]),
  /** null: it improves no prompts. */
  text_model: jsonb('text_model').$type<TextModel>(),
  state: text('state').$type<'active' | 'paused'>().notNull(),
  /** Set if the service paused it by itself. */
  paused_reason: text('paused_reason'),
  /** When it was put before the others. The latest comes first, those without one last. */
  preferred_at: timestampColumn('preferred_at'),
  /** Consecutive jobs that the provider rejected for its key or its credit. */
  account_problems: integer('account_problems').notNull().default(0),
  last_problem: text('last_problem'),
  last_problem_at: timestampColumn('last_problem_at'),
  /** null: connected on the command line. */
  created_by: text('created_by').references(() => apiKeys.id),
  created_at: timestampColumn('created_at').notNull(),
  updated_at: timestampColumn('updated_at').notNull(),
  disconnected_at: timestampColumn('disconnected_at'),
});

/** Keys of connections. A replaced key is deleted once no job needs it. */
export const providerCredentials = pgTable(
  'provider_credentials',
  {
    connection_id: text('connection_id')
      .notNull()
      .references(() => providerConnections.id),
    version: integer('version').notNull(),
    /** Encrypted for the connection; null for a provider without keys, and after deletion. */
    sealed_key: text('sealed_key'),
    last_four: text('last_four'),
    created_at: timestampColumn('created_at').notNull(),
    retired_at: timestampColumn('retired_at'),
    deleted_at: timestampColumn('deleted_at'),
  },
  (table) => [
    primaryKey({ columns: [table.connection_id, table.version] }),
    index('provider_credentials_retired').on(table.retired_at),
  ],
);

/** Second keys of connections, with which their bills are read and nothing else. Decision: Billing keys */
export const providerBillingKeys = pgTable('provider_billing_keys', {
  connection_id: text('connection_id')
    .primaryKey()
    .references(() => providerConnections.id),
  /** Encrypted for the connection. */
  sealed_key: text('sealed_key').notNull(),
  last_four: text('last_four').notNull(),
  /** Bills are read in their name. */
  created_by: text('created_by')
    .notNull()
    .references(() => apiKeys.id),
  created_at: timestampColumn('created_at').notNull(),
  /** When bills are read next. */
  due_at: timestampColumn('due_at').notNull(),
  /** When all bills that are still open were read without a problem. */
  read_at: timestampColumn('read_at'),
  /** Why the last read failed; null: it did not. */
  problem: text('problem'),
  failing_since: timestampColumn('failing_since'),
});

/** Calls of text models, for their cost. The texts themselves are not stored. Decision: Improve a prompt */
export const textModelCalls = pgTable(
  'text_model_calls',
  {
    id: text('id').primaryKey(),
    organization_id: organizationIdColumn(),
    connection_id: text('connection_id')
      .notNull()
      .references(() => providerConnections.id),
    created_by: text('created_by')
      .notNull()
      .references(() => apiKeys.id),
    /** What the prompt is for. */
    task: text('task').$type<TaskId>().notNull(),
    model: text('model').$type<AnyModelId>(),
    /** As the provider names it. */
    text_model: text('text_model').notNull(),
    /** `unclear`: running, or without a response; it counts with the most that it can cost. */
    status: text('status').$type<'unclear' | 'succeeded' | 'failed'>().notNull(),
    input_tokens: integer('input_tokens'),
    output_tokens: integer('output_tokens'),
    cost_micro_usd: microUsdColumn('cost_micro_usd').notNull(),
    created_at: timestampColumn('created_at').notNull(),
    completed_at: timestampColumn('completed_at'),
  },
  (table) => [
    index('text_model_calls_connection').on(table.connection_id, table.created_at),
    index('text_model_calls_organization').on(table.organization_id, table.created_at),
  ],
);
