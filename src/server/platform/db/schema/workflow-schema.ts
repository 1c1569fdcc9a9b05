import { sql } from 'drizzle-orm';
import {
  boolean,
  foreignKey,
  index,
  integer,
  json,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { GenerationStatus } from '#contract/statuses.ts';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import type { WorkflowDefinition, WorkflowStepDefinition } from '#contract/workflows/workflow-definition.ts';
import { timestampColumn } from './columns.ts';
import { apiKeys, organizationIdColumn } from './organization-schema.ts';
import { generations } from './schema.ts';

type StoredError = NonNullable<WorkflowRun['error']>;
export interface WorkflowOutlineStep extends Pick<WorkflowStepDefinition, 'key' | 'name' | 'task'> {
  model: string | null;
  needs: string[];
  is_list: boolean;
}

const createdByColumn = () =>
  text('created_by')
    .notNull()
    .references(() => apiKeys.id);

/** Starters saved by organizations. `json` keeps the order of steps’ fields and of form fields. */
export const workflowStarters = pgTable(
  'workflow_starters',
  {
    organization_id: organizationIdColumn(),
    slug: text('slug').notNull(),
    definition: json('definition').$type<WorkflowDefinition>().notNull(),
    created_by: createdByColumn(),
    created_at: timestampColumn('created_at').notNull(),
    updated_at: timestampColumn('updated_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organization_id, table.slug] })],
);

export const workflowRuns = pgTable(
  'workflow_runs',
  {
    id: text('id').primaryKey(),
    organization_id: organizationIdColumn(),
    starter_slug: text('starter_slug').notNull(),
    starter_name: text('starter_name').notNull(),
    definition: json('definition').$type<WorkflowDefinition>().notNull(),
    outline: json('outline').$type<WorkflowOutlineStep[]>().notNull().default([]),
    /** Validated, with defaults. */
    input: json('input').$type<Record<string, unknown>>().notNull(),
    /** Excerpt of `input` for lists; null if `input` is short. */
    input_excerpt: json('input_excerpt').$type<Record<string, unknown>>(),
    status: text('status').$type<GenerationStatus>().notNull(),
    output: json('output').$type<Record<string, unknown>>(),
    /** Excerpt of `output` for lists; null if `output` is short. */
    output_excerpt: json('output_excerpt').$type<Record<string, unknown>>(),
    error: jsonb('error').$type<StoredError>(),
    estimate: jsonb('estimate').$type<NonNullable<WorkflowRun['estimate']>>(),
    chain_id: text('chain_id').notNull(),
    retry_of: text('retry_of'),
    created_by: createdByColumn(),
    metadata: jsonb('metadata').$type<Record<string, string>>(),
    /** Like those of a generation; its steps get them. */
    tags: jsonb('tags').$type<Readonly<Record<string, string>>>().notNull().default({}),
    cancel_reason: text('cancel_reason'),
    canceled_by: text('canceled_by').references(() => apiKeys.id),
    created_at: timestampColumn('created_at').notNull(),
    started_at: timestampColumn('started_at'),
    updated_at: timestampColumn('updated_at').notNull(),
    completed_at: timestampColumn('completed_at'),
  },
  (table) => [
    index('workflow_runs_maker').on(table.created_by, table.id),
    index('workflow_runs_list').on(table.organization_id, table.id),
    index('workflow_runs_status').on(table.organization_id, table.status, table.id),
    index('workflow_runs_starter').on(table.organization_id, table.starter_slug, table.id),
    index('workflow_runs_chain').on(table.chain_id, table.id),
    index('workflow_runs_active')
      .on(table.updated_at)
      .where(sql`status in ('queued', 'running')`),
    index('workflow_runs_turns')
      .on(table.created_by, table.id)
      .where(sql`status in ('queued', 'running')`),
    // One unfinished attempt per chain, whatever happens at once.
    uniqueIndex('workflow_runs_active_retry')
      .on(table.chain_id)
      .where(sql`status in ('queued', 'running')`),
  ],
);

/**
 * `waiting` until its dependencies have completed, then `begun`: from then on its items and their generations hold the
 * state. The others are final states without a generation.
 */
const STEP_STATES = ['waiting', 'begun', 'skipped', 'stopped', 'failed'] as const;
export type StepState = (typeof STEP_STATES)[number];

export const workflowSteps = pgTable(
  'workflow_steps',
  {
    run_id: text('run_id')
      .notNull()
      .references(() => workflowRuns.id),
    key: text('key').notNull(),
    state: text('state').$type<StepState>().notNull(),
    error: jsonb('error').$type<StoredError>(),
    begun_at: timestampColumn('begun_at'),
    ended_at: timestampColumn('ended_at'),
  },
  (table) => [primaryKey({ columns: [table.run_id, table.key] })],
);

/** One generation of a step: its only one, or that of one list item. */
export const workflowItems = pgTable(
  'workflow_items',
  {
    run_id: text('run_id').notNull(),
    step_key: text('step_key').notNull(),
    index: integer('index').notNull(),
    item: json('item'),
    label: text('label'),
    /** Set in the transaction that creates the generation, so that only one is ever created. */
    generation_id: text('generation_id').references(() => generations.id),
    /** Result of the run that this one retries. */
    kept: boolean('kept').notNull().default(false),
    error: jsonb('error').$type<StoredError>(),
    ended_at: timestampColumn('ended_at'),
  },
  (table) => [
    primaryKey({ columns: [table.run_id, table.step_key, table.index] }),
    foreignKey({
      name: 'workflow_items_step',
      columns: [table.run_id, table.step_key],
      foreignColumns: [workflowSteps.run_id, workflowSteps.key],
    }),
    index('workflow_items_generation').on(table.generation_id),
  ],
);
