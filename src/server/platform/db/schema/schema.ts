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
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import type { PricedLineItem, MediaLengths } from '#contract/money/estimate.ts';
import type { JobCostBasis } from '#contract/providers.ts';
import type { MediaSource, OriginMark } from '#contract/resources/media.ts';
import type { UpstreamJobState } from '#contract/resources/review.ts';
import type { ProviderStatus } from '#contract/resources/generation.ts';
import type { BillingStatus, GenerationStatus } from '#contract/statuses.ts';
import { apiKeys, organizationIdColumn } from './organization-schema.ts';
import { timestampColumn, libraryColumns, mediaColumns, microUsdColumn } from './columns.ts';

/** Decision: Idempotency */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    organization_id: text('organization_id').notNull(),
    /** Endpoint; for retries with the id in its path. */
    scope: text('scope').notNull(),
    key: text('key').notNull(),
    fingerprint: text('fingerprint').notNull(),
    status: integer('status').notNull(),
    /** `json` keeps the order of keys, so that a replay is identical to the first response. */
    body: json('body').notNull(),
    created_at: timestampColumn('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organization_id, table.scope, table.key] }),
    index('idempotency_keys_created').on(table.created_at),
  ],
);

/** The queue for local work, or for provider jobs. */
export type GenerationLane = 'generation.run' | 'generation.upstream';

export const generations = pgTable(
  'generations',
  {
    id: text('id').primaryKey(),
    organization_id: organizationIdColumn(),
    task: text('task').$type<TaskId>().notNull(),
    model: text('model').$type<AnyModelId>(),
    /** Of an added model. */
    model_version: integer('model_version'),
    status: text('status').$type<GenerationStatus>().notNull(),
    /** Validated, with defaults. */
    input: jsonb('input').$type<Record<string, unknown>>().notNull(),
    /** Excerpt of `input` for lists; null if `input` is short. */
    input_excerpt: jsonb('input_excerpt').$type<Record<string, unknown>>(),
    metadata: jsonb('metadata').$type<Record<string, string>>(),
    progress: doublePrecision('progress'),
    /** What the provider says about a job that is not done. */
    provider_status: jsonb('provider_status').$type<ProviderStatus>(),
    output_data: jsonb('output_data').$type<Record<string, unknown>>(),
    error: jsonb('error').$type<{ code: string; message: string; retryable: boolean }>(),
    /** The reservation until settled, then the charge. */
    amount_micro_usd: microUsdColumn('amount_micro_usd').notNull(),
    line_items: jsonb('line_items').$type<PricedLineItem[]>().notNull(),
    billing_status: text('billing_status').$type<BillingStatus>().notNull(),
    /** First generation of the retry chain; its own id if it is the first. */
    chain_id: text('chain_id').notNull(),
    retry_of: text('retry_of'),
    workflow_run_id: text('workflow_run_id'),
    batch_id: text('batch_id'),
    /** Of its outputs, from the order of a batch. */
    output_name: text('output_name'),
    created_by: text('created_by')
      .notNull()
      .references(() => apiKeys.id),
    /** Values of the organization's tags, copied from the metadata at creation. Decision: Tags */
    tags: jsonb('tags').$type<Readonly<Record<string, string>>>().notNull().default({}),
    lease_owner: text('lease_owner'),
    lease_expires_at: timestampColumn('lease_expires_at'),
    attempts: integer('attempts').notNull().default(0),
    /** When media storage first failed for it. Decision: Storage outages */
    storage_failed_at: timestampColumn('storage_failed_at'),
    /** Queue, and priority in it: lower values go first. See `enqueue`. */
    lane: text('lane').$type<GenerationLane>().notNull().default('generation.run'),
    turn: integer('turn').notNull().default(0),
    cancel_requested: boolean('cancel_requested').notNull().default(false),
    created_at: timestampColumn('created_at').notNull(),
    started_at: timestampColumn('started_at'),
    updated_at: timestampColumn('updated_at').notNull(),
    completed_at: timestampColumn('completed_at'),
  },
  (table) => [
    index('generations_list').on(table.organization_id, table.created_at, table.id),
    index('generations_maker').on(table.created_by, table.created_at, table.id),
    index('generations_status').on(table.organization_id, table.status, table.created_at, table.id),
    index('generations_task').on(table.organization_id, table.task, table.created_at, table.id),
    index('generations_model').on(table.organization_id, table.model, table.created_at, table.id),
    index('generations_completed')
      .on(table.organization_id, table.completed_at)
      .where(sql`completed_at is not null`),
    index('generations_duration')
      .on(table.organization_id, sql`(completed_at - started_at)`, table.id)
      .where(sql`(completed_at - started_at) is not null`),
    index('generations_cost').on(
      table.organization_id,
      sql`(case when billing_status = 'released' then 0 else amount_micro_usd end)`,
      table.id,
    ),
    index('generations_chain').on(table.chain_id, table.id),
    index('generations_batch')
      .on(table.batch_id, table.id)
      .where(sql`batch_id is not null`),
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

/** State of a generation's job at a provider. The row is written before the first submit. */
export const upstreamJobs = pgTable(
  'upstream_jobs',
  {
    generation_id: text('generation_id')
      .primaryKey()
      .references(() => generations.id),
    engine: text('engine').notNull(),
    state: text('state').$type<UpstreamJobState>().notNull(),
    handle: jsonb('handle').$type<Readonly<Record<string, unknown>>>(),
    /** By which the provider's bill and support name the job; null until it is known. */
    request_id: text('request_id'),
    /** Lengths of the submitted references, which determine the charge. */
    media_lengths: jsonb('media_lengths').$type<MediaLengths>().notNull(),
    cost_micro_usd: microUsdColumn('cost_micro_usd'),
    cost_basis: text('cost_basis').$type<JobCostBasis>(),
    /** The provider connection that received it; null for engines of the operator's file. */
    connection_id: text('connection_id'),
    last_problem: text('last_problem'),
    /** Since the last response. */
    problem_count: integer('problem_count').notNull().default(0),
    /** First submit; the deadline starts here. */
    submitted_at: timestampColumn('submitted_at').notNull(),
    updated_at: timestampColumn('updated_at').notNull(),
  },
  (table) => [
    index('upstream_jobs_connection')
      .on(table.connection_id, table.submitted_at)
      .where(sql`connection_id is not null`),
    index('upstream_jobs_request')
      .on(table.request_id)
      .where(sql`request_id is not null`),
    index('upstream_jobs_unfinished')
      .on(table.engine)
      .where(sql`state <> 'ended'`),
  ],
);

export const assets = pgTable(
  'assets',
  {
    id: text('id').primaryKey(),
    organization_id: text('organization_id').notNull(),
    generation_id: text('generation_id')
      .notNull()
      .references(() => generations.id),
    /** Copied from the generation, so that outputs can be listed by it in order of creation. */
    task: text('task').$type<TaskId>().notNull(),
    model: text('model').$type<AnyModelId>(),
    position: integer('position').notNull(),
    /** Held back, and in no list, until a person approves it. */
    held: boolean('held').notNull().default(false),
    /** Given by a person. With the extension. */
    filename: text('filename'),
    /** What people called the media item that it was made from, or itself in a batch. */
    source_name: text('source_name'),
    /** The media item that has this name, or its URL elsewhere. */
    source_id: text('source_id'),
    /** Above 1: other sources have the same name. */
    source_number: integer('source_number').notNull().default(1),
    /** What was done to the source, each once: trimmed, lip sync. */
    edits: text('edits').array().notNull().default([]),
    /** Marks of origin of its sources that it does not have. */
    lost_marks: jsonb('lost_marks').$type<OriginMark[]>(),
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
      index('assets_source')
        .on(organization_id, table.source_name)
        .where(sql`source_name is not null`),
      index('assets_library').on(organization_id, created_at, id).where(listed),
      index('assets_library_type').on(organization_id, type, created_at, id).where(listed),
      index('assets_library_task').on(organization_id, task, created_at, id).where(listed),
      index('assets_library_model').on(organization_id, model, created_at, id).where(listed),
      index('assets_trash')
        .on(organization_id, created_at, id)
        .where(sql`trashed_at is not null`),
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
    /** The post that it was saved from. */
    source: jsonb('source').$type<MediaSource>(),
    ...mediaColumns(),
    ...libraryColumns(),
    created_at: timestampColumn('created_at').notNull(),
  },
  (table) => {
    const { organization_id, type, created_at, id } = table;
    const listed = sql`removed_at is null`;
    return [
      index('uploads_list').on(organization_id, id),
      index('uploads_maker').on(table.created_by, id),
      index('uploads_storage_key').on(table.storage_key),
      index('uploads_content').on(organization_id, table.sha256),
      index('uploads_age').on(created_at).where(listed),
      index('uploads_removed')
        .on(id)
        .where(sql`removed_at is not null`),
      index('uploads_library').on(organization_id, created_at, id).where(listed),
      index('uploads_library_type').on(organization_id, type, created_at, id).where(listed),
      index('uploads_trash')
        .on(organization_id, created_at, id)
        .where(sql`trashed_at is not null`),
      index('uploads_favourites')
        .on(organization_id, created_at, id)
        .where(sql`favourite and removed_at is null`),
    ];
  },
);
