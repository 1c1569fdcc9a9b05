import * as z from 'zod/mini';
import { defineEndpoints, INVALID_REQUEST } from '#contract/api/endpoint.ts';
import { LEDGER_LINE_STATUSES, LEDGER_TYPES } from '#contract/money/ledger.ts';
import {
  id,
  listSchema,
  modelId,
  pathId,
  queryCursor,
  queryDateTime,
  queryInteger,
  querySchema,
  querySeq,
  spendingFilter,
  taskId,
  timestamp,
  usd,
} from '../primitives.ts';
import { JOB_COST_BASES } from '../providers.ts';
import { GENERATION_STATUSES } from '../statuses.ts';

export const keyReference = z.strictObject({ id: id('key'), name: z.string() });

const workFields = () => ({
  /** Whose key created the generation; null: a program's. */
  person: z.nullable(z.strictObject({ id: id('per'), name: z.string() })),
  /** The first 300 characters of the generation's prompt or query. */
  prompt: z.nullable(z.string()),
  /** Values of the generation's tags. */
  tags: z.record(z.string(), z.string()),
});

/** What the provider charged, for callers with `costs.read`; null: unknown, or no provider. Decision: Ledger costs */
const costFields = () => ({
  cost_usd: z.optional(z.nullable(usd())),
  /** Where the cost is from: reported by the provider, computed from its usage, or its list price. */
  cost_basis: z.optional(z.nullable(z.enum(JOB_COST_BASES))),
  /** The charge less refunds and cost. */
  margin_usd: z.optional(z.nullable(usd())),
});

/** Decision: Ledger. The optional fields are an addition. */
export const LedgerEntry = z.strictObject({
  id: id('led'),
  object: z.literal('ledger_entry'),
  type: z.enum(LEDGER_TYPES),
  amount_usd: usd(),
  available_after_usd: usd(),
  balance_after_usd: usd(),
  generation_id: z.nullable(id('gen')),
  workflow_run_id: z.nullable(id('run')),
  description: z.string(),
  /** The key that moved the money; null: the service itself, or the command line. */
  created_by: z.nullable(keyReference),
  created_at: timestamp(),
  /** 1, 2, 3 … without gaps in an organization. */
  seq: z.optional(z.int()),
  task: z.optional(z.nullable(taskId())),
  model: z.optional(z.nullable(modelId())),
  /** The key that created the generation. */
  key: z.optional(z.nullable(keyReference)),
  /** SHA-256, hex, over this entry and the previous hash: see docs/ledger.md. */
  hash: z.optional(z.string()),
  ...z.partial(z.strictObject(workFields())).shape,
  /** At the SETTLE entry, or the RELEASE of work without a charge; a REFUND has a margin only. */
  ...costFields(),
});
export type LedgerEntry = z.infer<typeof LedgerEntry>;

const entryPosition = () => z.nullable(z.strictObject({ id: id('led'), seq: z.int() }));

/** An entry with what an auditor checks it by. Decision: Ledger lines */
export const LedgerEntryDetail = z.strictObject({
  ...LedgerEntry.shape,
  /** The hash that this entry's hash covers; 64 zeros for the first entry. */
  previous_hash: z.string(),
  /** Of the generation. */
  metadata: z.record(z.string(), z.string()),
  /** Null at the ends of the ledger, and where the caller may not see the entry. */
  previous: entryPosition(),
  next: entryPosition(),
  /** Entries of the same generation, oldest first, at most 100; of others the entry itself. */
  entries: z.array(LedgerEntry),
});
export type LedgerEntryDetail = z.infer<typeof LedgerEntryDetail>;

/** The entries of a generation as one line, or an entry that belongs to none. Decision: Ledger lines */
export const LedgerLine = z.strictObject({
  /** Of the line's first entry that matches the filters. */
  id: id('led'),
  object: z.literal('ledger_line'),
  status: z.enum(LEDGER_LINE_STATUSES),
  /** Sum of its entries: the effect on the available funds. */
  amount_usd: usd(),
  charged_usd: usd(),
  refunded_usd: usd(),
  /** Numbers of its entries, oldest first, at most 100. */
  seqs: z.array(z.int()),
  first_seq: z.int(),
  last_seq: z.int(),
  last_entry_id: id('led'),
  entry_count: z.int(),
  generation_id: z.nullable(id('gen')),
  workflow_run_id: z.nullable(id('run')),
  task: z.nullable(taskId()),
  model: z.nullable(modelId()),
  description: z.string(),
  /** Of the last refund. */
  reason: z.nullable(z.string()),
  key: z.nullable(keyReference),
  created_by: z.nullable(keyReference),
  ...workFields(),
  ...costFields(),
  created_at: timestamp(),
  last_entry_at: timestamp(),
});
export type LedgerLine = z.infer<typeof LedgerLine>;

export const typeSumsSchema = () =>
  z.array(z.strictObject({ type: z.enum(LEDGER_TYPES), amount_usd: usd(), count: z.int() }));

export const LedgerSums = z.strictObject({
  object: z.literal('ledger_sums'),
  count: z.int(),
  /** Signed: the effect on the available funds. */
  amount_usd: usd(),
  /** SETTLE less REFUND. */
  spent_usd: usd(),
  /** Only types that have entries. */
  by_type: typeSumsSchema(),
});
export type LedgerSums = z.infer<typeof LedgerSums>;

export const Reservation = z.strictObject({
  object: z.literal('reservation'),
  generation_id: id('gen'),
  status: z.enum(GENERATION_STATUSES),
  task: taskId(),
  model: z.nullable(modelId()),
  workflow_run_id: z.nullable(id('run')),
  created_by: keyReference,
  amount_usd: usd(),
  created_at: timestamp(),
});
export type Reservation = z.infer<typeof Reservation>;

/** Spec: Query parameters. `task`, `model`, `key_id` and `seq` are additions. */
const ledgerFilter = () => ({
  type: z.optional(z.enum(LEDGER_TYPES)),
  created_after: queryDateTime(),
  created_before: queryDateTime(),
  generation_id: z.optional(pathId()),
  workflow_run_id: z.optional(pathId()),
  task: z.optional(taskId()),
  model: z.optional(modelId()),
  /** The key that created the generation. */
  key_id: z.optional(pathId()),
  seq: querySeq(),
  ...spendingFilter(),
});

/** Number, id or amount of an entry, or words. Decision: Ledger search */
const ledgerSearch = () => ({ q: z.optional(z.string().check(z.maxLength(500))) });

const pageQuery = () => ({ limit: queryInteger(50, 1, 100), cursor: queryCursor() });

export const ledgerEndpoints = defineEndpoints('Billing', {
  list_ledger: {
    summary: 'List ledger entries, newest first',
    query: querySchema({ ...pageQuery(), ...ledgerFilter(), ...ledgerSearch() }),
    status: 200,
    response: listSchema(LedgerEntry),
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
  },
  list_ledger_lines: {
    summary: 'List charges and other movements of money, one line each, newest first',
    query: querySchema({ ...pageQuery(), ...ledgerFilter(), ...ledgerSearch() }),
    status: 200,
    response: listSchema(LedgerLine),
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
  },
  get_ledger_entry: {
    summary: 'Read a ledger entry with its hashes, neighbors and the entries of its generation',
    params: z.object({ entry_id: pathId() }),
    status: 200,
    response: LedgerEntryDetail,
    errors: { 404: ['not_found'], 422: INVALID_REQUEST },
  },
  get_ledger_sums: {
    summary: 'Sum ledger entries',
    query: querySchema(ledgerFilter()),
    status: 200,
    response: LedgerSums,
    errors: { 422: INVALID_REQUEST },
  },
  export_ledger: {
    summary: 'Export ledger entries, oldest first, as CSV',
    query: querySchema({ ...ledgerFilter(), ...ledgerSearch() }),
    status: 200,
    response: 'csv',
    errors: { 422: INVALID_REQUEST },
  },
  list_reservations: {
    summary: 'List reservations for unfinished work, newest first',
    query: querySchema(pageQuery()),
    status: 200,
    response: listSchema(Reservation),
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
  },
});
