import {
  boolean,
  doublePrecision,
  index,
  integer,
  json,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { sql } from 'drizzle-orm';
import type { ModelId, TaskId } from '#contract/ids.ts';
import type { PricedLineItem, MediaLengths } from '#contract/estimate.ts';
import type { KeyKind } from '#contract/resources/api-key.ts';
import type { ReviewDecision, UpstreamJobState } from '#contract/resources/review.ts';
import type { BillingStatus, GenerationStatus } from '#contract/generation-status.ts';
import { timestampColumn, libraryColumns, mediaColumns, microUsdColumn } from './columns.ts';

export const organizations = pgTable('organizations', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  created_at: timestampColumn('created_at').notNull(),
});

/** Whose a row is. */
export const organizationIdColumn = () =>
  text('organization_id')
    .notNull()
    .references(() => organizations.id);

export const apiKeys = pgTable(
  'api_keys',
  {
    id: text('id').primaryKey(),
    organization_id: organizationIdColumn(),
    name: text('name').notNull(),
    kind: text('kind').$type<KeyKind>().notNull(),
    /** SHA-256 of the whole key, hex. */
    secret_sha256: text('secret_sha256').notNull().unique(),
    created_at: timestampColumn('created_at').notNull(),
    last_used_at: timestampColumn('last_used_at'),
    revoked_at: timestampColumn('revoked_at'),
  },
  (table) => [index('api_keys_organization').on(table.organization_id, table.id)],
);

/** Decision: Idempotency */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    organization_id: text('organization_id').notNull(),
    /** Endpoint, and for retries the id in its path. */
    scope: text('scope').notNull(),
    key: text('key').notNull(),
    fingerprint: text('fingerprint').notNull(),
    status: integer('status').notNull(),
    /** `json` keeps the order of keys: a replay is the first answer to the byte. */
    body: json('body').notNull(),
    created_at: timestampColumn('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organization_id, table.scope, table.key] }),
    index('idempotency_keys_created').on(table.created_at),
  ],
);

/** The queue of what runs in a process of ours, or of what another service does. */
export type GenerationLane = 'generation.run' | 'generation.upstream';

export const generations = pgTable(
  'generations',
  {
    id: text('id').primaryKey(),
    organization_id: organizationIdColumn(),
    task: text('task').$type<TaskId>().notNull(),
    model: text('model').$type<ModelId>(),
    status: text('status').$type<GenerationStatus>().notNull(),
    /** Validated, defaults filled in. */
    input: jsonb('input').$type<Record<string, unknown>>().notNull(),
    /** What lists show of `input`; null where that is all of it. */
    input_excerpt: jsonb('input_excerpt').$type<Record<string, unknown>>(),
    metadata: jsonb('metadata').$type<Record<string, string>>(),
    progress: doublePrecision('progress'),
    output_data: jsonb('output_data').$type<Record<string, unknown>>(),
    error: jsonb('error').$type<{ code: string; message: string; retryable: boolean }>(),
    /** The reservation until settled, then the charge. */
    amount_micro_usd: microUsdColumn('amount_micro_usd').notNull(),
    line_items: jsonb('line_items').$type<PricedLineItem[]>().notNull(),
    billing_status: text('billing_status').$type<BillingStatus>().notNull(),
    /** The first of its retry chain; itself where it is the first. */
    chain_id: text('chain_id').notNull(),
    retry_of: text('retry_of'),
    workflow_run_id: text('workflow_run_id'),
    created_by: text('created_by')
      .notNull()
      .references(() => apiKeys.id),
    /** Who runs it, until when; a lease that ran out is taken back. */
    lease_owner: text('lease_owner'),
    lease_expires_at: timestampColumn('lease_expires_at'),
    attempts: integer('attempts').notNull().default(0),
    /** The queue that it waits in, and its turn there: lower ones go first. See `enqueue`. */
    lane: text('lane').$type<GenerationLane>().notNull().default('generation.run'),
    turn: integer('turn').notNull().default(0),
    cancel_requested: boolean('cancel_requested').notNull().default(false),
    created_at: timestampColumn('created_at').notNull(),
    started_at: timestampColumn('started_at'),
    updated_at: timestampColumn('updated_at').notNull(),
    completed_at: timestampColumn('completed_at'),
  },
  (table) => [
    index('generations_list').on(table.organization_id, table.id),
    index('generations_status').on(table.organization_id, table.status, table.id),
    index('generations_chain').on(table.chain_id, table.id),
    index('generations_reserved')
      .on(table.organization_id, table.id)
      .where(sql`billing_status = 'reserved'`),
    index('generations_active')
      .on(table.lease_expires_at)
      .where(sql`status in ('queued', 'running')`),
    index('generations_turns')
      .on(table.lane, table.turn)
      .where(sql`status = 'queued'`),
    index('generations_queued')
      .on(table.created_by, table.lane, table.turn)
      .where(sql`status = 'queued'`),
    // One unfinished attempt per chain, whatever happens at once.
    uniqueIndex('generations_active_retry')
      .on(table.chain_id)
      .where(sql`status in ('queued', 'running')`),
  ],
);

/** What became of a generation at another service. One row from before its first submit goes out. */
export const upstreamJobs = pgTable('upstream_jobs', {
  generation_id: text('generation_id')
    .primaryKey()
    .references(() => generations.id),
  engine: text('engine').notNull(),
  state: text('state').$type<UpstreamJobState>().notNull(),
  handle: jsonb('handle').$type<Readonly<Record<string, unknown>>>(),
  /** Of the references that were sent: the charge goes by them. */
  media_lengths: jsonb('media_lengths').$type<MediaLengths>().notNull(),
  cost_micro_usd: microUsdColumn('cost_micro_usd'),
  last_problem: text('last_problem'),
  /** Since the last answer. */
  problem_count: integer('problem_count').notNull().default(0),
  /** First of all submits; the deadline counts from it. */
  submitted_at: timestampColumn('submitted_at').notNull(),
  updated_at: timestampColumn('updated_at').notNull(),
});

/** Why a person has to decide on a generation, and what they decided. */
export const reviews = pgTable('reviews', {
  generation_id: text('generation_id')
    .primaryKey()
    .references(() => generations.id),
  reason: text('reason').notNull(),
  held_data: jsonb('held_data').$type<Record<string, unknown>>(),
  /** What approving charges. */
  charge_micro_usd: microUsdColumn('charge_micro_usd').notNull(),
  charge_line_items: jsonb('charge_line_items').$type<PricedLineItem[]>().notNull(),
  opened_at: timestampColumn('opened_at').notNull(),
  decision: text('decision').$type<ReviewDecision>(),
  note: text('note'),
  /** null: from the shell. */
  decided_by: text('decided_by').references(() => apiKeys.id),
  decided_at: timestampColumn('decided_at'),
});

export const assets = pgTable(
  'assets',
  {
    id: text('id').primaryKey(),
    organization_id: text('organization_id').notNull(),
    generation_id: text('generation_id')
      .notNull()
      .references(() => generations.id),
    /** Of the generation, so that outputs are found by them in the order they were made in. */
    task: text('task').$type<TaskId>().notNull(),
    model: text('model').$type<ModelId>(),
    position: integer('position').notNull(),
    /** Until a person approves it, it is no output yet, and in no list. */
    held: boolean('held').notNull().default(false),
    ...mediaColumns(),
    ...libraryColumns(),
    created_at: timestampColumn('created_at').notNull(),
  },
  (table) => {
    const { organization_id, type, task, model, created_at, id } = table;
    const listed = sql`removed_at is null and not held`;
    return [
      index('assets_generation').on(table.generation_id, table.position),
      index('assets_storage_key').on(table.storage_key),
      index('assets_age')
        .on(created_at)
        .where(sql`removed_at is null`),
      index('assets_library').on(organization_id, created_at, id).where(listed),
      index('assets_library_type').on(organization_id, type, created_at, id).where(listed),
      index('assets_library_task').on(organization_id, task, created_at, id).where(listed),
      index('assets_library_model').on(organization_id, model, created_at, id).where(listed),
      index('assets_favourites')
        .on(organization_id, created_at, id)
        .where(sql`favourite and removed_at is null and not held`),
    ];
  },
);

export const uploads = pgTable(
  'uploads',
  {
    id: text('id').primaryKey(),
    organization_id: organizationIdColumn(),
    created_by: text('created_by').notNull(),
    filename: text('filename'),
    ...mediaColumns(),
    ...libraryColumns(),
    created_at: timestampColumn('created_at').notNull(),
  },
  (table) => {
    const { organization_id, type, created_at, id } = table;
    const listed = sql`removed_at is null`;
    return [
      index('uploads_list').on(organization_id, id),
      index('uploads_storage_key').on(table.storage_key),
      index('uploads_content').on(organization_id, table.sha256),
      index('uploads_age').on(created_at).where(listed),
      index('uploads_removed')
        .on(id)
        .where(sql`removed_at is not null`),
      index('uploads_library').on(organization_id, created_at, id).where(listed),
      index('uploads_library_type').on(organization_id, type, created_at, id).where(listed),
      index('uploads_favourites')
        .on(organization_id, created_at, id)
        .where(sql`favourite and removed_at is null`),
    ];
  },
);
