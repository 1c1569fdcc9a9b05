import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  json,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { sql } from 'drizzle-orm';
import type { ModelId, TaskId } from '#contract/ids.ts';
import type { LineItem, MediaLengths } from '#contract/estimate.ts';
import type { KeyKind } from '#contract/resources/api-key.ts';
import type { LedgerType } from '#contract/resources/billing.ts';
import type { ReviewDecision, UpstreamJobState } from '#contract/resources/review.ts';
import type { BillingStatus, GenerationStatus } from '#contract/generation-status.ts';
import type { MediaKind } from '#contract/task.ts';

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });
const micro_usd = (name: string) => bigint(name, { mode: 'bigint' });

export const organizations = pgTable('organizations', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  created_at: at('created_at').notNull(),
});

/** What the first entry of a ledger is chained to. */
export const NO_HASH = '0'.repeat(64);
/** Given by the database when an entry is appended, whatever the insert says. */
const appended_integer = (name: string) =>
  micro_usd(name)
    .notNull()
    .default(sql`0`);

/** One row per organization, locked and kept by the trigger that appends entries, and by nothing else. */
export const accounts = pgTable('accounts', {
  organization_id: text('organization_id')
    .primaryKey()
    .references(() => organizations.id),
  available_micro_usd: micro_usd('available_micro_usd').notNull(),
  reserved_micro_usd: micro_usd('reserved_micro_usd').notNull(),
  /** SETTLE less REFUND, ever. */
  spent_micro_usd: micro_usd('spent_micro_usd').notNull(),
  /** Number of ledger entries so far. */
  last_seq: bigint('last_seq', { mode: 'bigint' }).notNull(),
  /** Of the newest entry; of an empty ledger 64 zeros. */
  last_hash: text('last_hash').notNull().default(NO_HASH),
  last_entry_at: at('last_entry_at'),
});

export const apiKeys = pgTable(
  'api_keys',
  {
    id: text('id').primaryKey(),
    organization_id: text('organization_id')
      .notNull()
      .references(() => organizations.id),
    name: text('name').notNull(),
    kind: text('kind').$type<KeyKind>().notNull(),
    /** SHA-256 of the whole key, hex. */
    secret_sha256: text('secret_sha256').notNull().unique(),
    created_at: at('created_at').notNull(),
    last_used_at: at('last_used_at'),
    revoked_at: at('revoked_at'),
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
    created_at: at('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organization_id, table.scope, table.key] }),
    index('idempotency_keys_created').on(table.created_at),
  ],
);

export const generations = pgTable(
  'generations',
  {
    id: text('id').primaryKey(),
    organization_id: text('organization_id')
      .notNull()
      .references(() => organizations.id),
    task: text('task').$type<TaskId>().notNull(),
    model: text('model').$type<ModelId>(),
    status: text('status').$type<GenerationStatus>().notNull(),
    /** Validated, defaults filled in. */
    input: jsonb('input').$type<Record<string, unknown>>().notNull(),
    metadata: jsonb('metadata').$type<Record<string, string>>(),
    progress: doublePrecision('progress'),
    output_data: jsonb('output_data').$type<Record<string, unknown>>(),
    error: jsonb('error').$type<{ code: string; message: string; retryable: boolean }>(),
    /** The reservation until settled, then the charge. */
    amount_micro_usd: micro_usd('amount_micro_usd').notNull(),
    line_items: jsonb('line_items').$type<LineItem[]>().notNull(),
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
    lease_expires_at: at('lease_expires_at'),
    attempts: integer('attempts').notNull().default(0),
    cancel_requested: boolean('cancel_requested').notNull().default(false),
    created_at: at('created_at').notNull(),
    started_at: at('started_at'),
    updated_at: at('updated_at').notNull(),
    completed_at: at('completed_at'),
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
  cost_micro_usd: micro_usd('cost_micro_usd'),
  last_problem: text('last_problem'),
  /** Since the last answer. */
  problem_count: integer('problem_count').notNull().default(0),
  /** First of all submits; the deadline counts from it. */
  submitted_at: at('submitted_at').notNull(),
  updated_at: at('updated_at').notNull(),
});

/** Why a person has to decide on a generation, and what they decided. */
export const reviews = pgTable('reviews', {
  generation_id: text('generation_id')
    .primaryKey()
    .references(() => generations.id),
  reason: text('reason').notNull(),
  held_data: jsonb('held_data').$type<Record<string, unknown>>(),
  /** What approving charges. */
  charge_micro_usd: micro_usd('charge_micro_usd').notNull(),
  charge_line_items: jsonb('charge_line_items').$type<LineItem[]>().notNull(),
  opened_at: at('opened_at').notNull(),
  decision: text('decision').$type<ReviewDecision>(),
  note: text('note'),
  /** null: from the shell. */
  decided_by: text('decided_by').references(() => apiKeys.id),
  decided_at: at('decided_at'),
});

export const assets = pgTable(
  'assets',
  {
    id: text('id').primaryKey(),
    organization_id: text('organization_id').notNull(),
    generation_id: text('generation_id')
      .notNull()
      .references(() => generations.id),
    position: integer('position').notNull(),
    type: text('type').$type<MediaKind>().notNull(),
    mime_type: text('mime_type').notNull(),
    storage_key: text('storage_key').notNull(),
    size_bytes: bigint('size_bytes', { mode: 'number' }).notNull(),
    sha256: text('sha256').notNull(),
    width: integer('width'),
    height: integer('height'),
    duration_seconds: doublePrecision('duration_seconds'),
    created_at: at('created_at').notNull(),
  },
  (table) => [
    index('assets_generation').on(table.generation_id, table.position),
    index('assets_storage_key').on(table.storage_key),
  ],
);

export const uploads = pgTable(
  'uploads',
  {
    id: text('id').primaryKey(),
    organization_id: text('organization_id')
      .notNull()
      .references(() => organizations.id),
    created_by: text('created_by').notNull(),
    type: text('type').$type<MediaKind>().notNull(),
    mime_type: text('mime_type').notNull(),
    filename: text('filename'),
    storage_key: text('storage_key').notNull(),
    size_bytes: bigint('size_bytes', { mode: 'number' }).notNull(),
    sha256: text('sha256').notNull(),
    width: integer('width'),
    height: integer('height'),
    duration_seconds: doublePrecision('duration_seconds'),
    created_at: at('created_at').notNull(),
  },
  (table) => [
    index('uploads_list').on(table.organization_id, table.id),
    index('uploads_storage_key').on(table.storage_key),
  ],
);

/** Append-only, by the database's own rules: see docs/ledger.md. Decision: Ledger */
export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    id: text('id').primaryKey(),
    organization_id: text('organization_id')
      .notNull()
      .references(() => organizations.id),
    /** 1, 2, 3 … without gaps in an organization. */
    seq: appended_integer('seq'),
    type: text('type').$type<LedgerType>().notNull(),
    amount_micro_usd: micro_usd('amount_micro_usd').notNull(),
    available_after_micro_usd: appended_integer('available_after_micro_usd'),
    balance_after_micro_usd: appended_integer('balance_after_micro_usd'),
    generation_id: text('generation_id').references(() => generations.id),
    /** Of the generation, so that spending is summed up without looking at each. */
    task: text('task').$type<TaskId>(),
    model: text('model').$type<ModelId>(),
    workflow_run_id: text('workflow_run_id'),
    description: text('description').notNull(),
    /** Whose spending it is: the key of the generation. */
    key_id: text('key_id'),
    /** Who moved it. */
    created_by: text('created_by').references(() => apiKeys.id),
    /** Never before that of the entry before. */
    created_at: at('created_at').notNull(),
    hash: text('hash').notNull().default(''),
  },
  (table) => {
    const { organization_id, type, task, key_id, seq, workflow_run_id } = table;
    const model = sql`coalesce(${table.model}, '')`;
    return [
      uniqueIndex('ledger_entries_seq').on(organization_id, seq),
      index('ledger_entries_time').on(organization_id, table.created_at, seq),
      index('ledger_entries_type').on(organization_id, type, seq),
      index('ledger_entries_model').on(organization_id, task, model, type, seq),
      index('ledger_entries_key').on(organization_id, key_id, task, model, type, seq),
      index('ledger_entries_generation').on(table.generation_id),
      index('ledger_entries_run')
        .on(workflow_run_id, seq)
        .where(sql`workflow_run_id is not null`),
      // One RESERVE, RELEASE and SETTLE per generation at most.
      uniqueIndex('ledger_entries_once')
        .on(table.generation_id, type)
        .where(sql`type in ('RESERVE', 'RELEASE', 'SETTLE')`),
    ];
  },
);
