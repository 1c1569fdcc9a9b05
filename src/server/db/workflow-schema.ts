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
import type { GenerationStatus } from '#contract/generation-status.ts';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import type { WorkflowDefinition, WorkflowStepDefinition } from '#contract/workflow-definition.ts';
import { timestampColumn } from './columns.ts';
import { apiKeys, generations, organizationIdColumn } from './schema.ts';

type StoredError = NonNullable<WorkflowRun['error']>;
/** A step without what it is given. */
export interface WorkflowOutlineStep extends Pick<WorkflowStepDefinition, 'key' | 'name' | 'task'> {
  model: string | null;
  needs: string[];
  is_list: boolean;
}

const createdByColumn = () =>
  text('created_by')
    .notNull()
    .references(() => apiKeys.id);

/** Starters that organizations saved. `json` keeps the order of steps’ fields and of what the form asks for. */
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
    /** As it was when the run began. */
    definition: json('definition').$type<WorkflowDefinition>().notNull(),
    /** What is shown of the definition. */
    outline: json('outline').$type<WorkflowOutlineStep[]>().notNull().default([]),
    /** Validated, defaults filled in. */
    input: json('input').$type<Record<string, unknown>>().notNull(),
    /** What lists show of `input`; null where that is all of it. */
    input_excerpt: json('input_excerpt').$type<Record<string, unknown>>(),
    status: text('status').$type<GenerationStatus>().notNull(),
    output: json('output').$type<Record<string, unknown>>(),
    /** What lists show of `output`; null where that is all of it. */
    output_excerpt: json('output_excerpt').$type<Record<string, unknown>>(),
    error: jsonb('error').$type<StoredError>(),
    estimate: jsonb('estimate').$type<NonNullable<WorkflowRun['estimate']>>(),
    /** The first run of a chain of retries. */
    chain_id: text('chain_id').notNull(),
    retry_of: text('retry_of'),
    created_by: createdByColumn(),
    cancel_reason: text('cancel_reason'),
    canceled_by: text('canceled_by').references(() => apiKeys.id),
    created_at: timestampColumn('created_at').notNull(),
    started_at: timestampColumn('started_at'),
    updated_at: timestampColumn('updated_at').notNull(),
    completed_at: timestampColumn('completed_at'),
  },
  (table) => [
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
 * `waiting` until what it needs has ended; then `begun`, and what becomes of it stands in its items and their generations,
 * or an end that needs none.
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
    /** Where it ended without a generation of its own. */
    ended_at: timestampColumn('ended_at'),
  },
  (table) => [primaryKey({ columns: [table.run_id, table.key] })],
);

/** One generation of a step: the only one, or that of one item of its list. */
export const workflowItems = pgTable(
  'workflow_items',
  {
    run_id: text('run_id').notNull(),
    step_key: text('step_key').notNull(),
    index: integer('index').notNull(),
    /** Of the list; null where there is none. */
    item: json('item'),
    label: text('label'),
    /** Set once, with the generation, in one transaction: so it is made once. */
    generation_id: text('generation_id').references(() => generations.id),
    /** Made by the run that this one tries again. */
    kept: boolean('kept').notNull().default(false),
    /** Why there is no generation. */
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
