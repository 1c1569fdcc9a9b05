import { sql } from 'drizzle-orm';
import { boolean, index, integer, json, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { WebhookEventType, WebhookObject } from '#contract/resources/webhook.ts';
import type { DeliveryStatus } from '#contract/statuses.ts';
import { timestampColumn } from './columns.ts';
import { organizationIdColumn } from './organization-schema.ts';

export const webhookEndpoints = pgTable(
  'webhook_endpoints',
  {
    id: text('id').primaryKey(),
    organization_id: organizationIdColumn(),
    url: text('url').notNull(),
    events: jsonb('events').$type<WebhookEventType[]>().notNull(),
    /** Encrypted; empty after deletion of the endpoint. */
    secret_sealed: text('secret_sealed').notNull(),
    previous_secret_sealed: text('previous_secret_sealed'),
    previous_secret_expires_at: timestampColumn('previous_secret_expires_at'),
    last_delivery_at: timestampColumn('last_delivery_at'),
    last_delivery_status: text('last_delivery_status').$type<DeliveryStatus>(),
    failing_since: timestampColumn('failing_since'),
    /** Set when the endpoint is disabled for failing. */
    disabled_at: timestampColumn('disabled_at'),
    created_at: timestampColumn('created_at').notNull(),
    deleted_at: timestampColumn('deleted_at'),
  },
  (table) => [
    index('webhook_endpoints_organization')
      .on(table.organization_id, table.created_at)
      .where(sql`deleted_at is null`),
  ],
);

/** Events, written in the transaction of the change if an endpoint subscribes to it. */
export const webhookEvents = pgTable(
  'webhook_events',
  {
    id: text('id').primaryKey(),
    organization_id: organizationIdColumn(),
    type: text('type').$type<WebhookEventType>().notNull(),
    /** Does not exist for a test event; null: the event is not about a generation. */
    generation_id: text('generation_id'),
    test: boolean('test').notNull(),
    /**
     * Snapshot; of a generation without assets: they are added when it is sent, because their links expire. `json` keeps the order of
     * keys.
     */
    object: json('object').$type<WebhookObject>().notNull(),
    created_at: timestampColumn('created_at').notNull(),
  },
  (table) => [index('webhook_events_created').on(table.created_at)],
);

export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: text('id').primaryKey(),
    endpoint_id: text('endpoint_id')
      .notNull()
      .references(() => webhookEndpoints.id),
    event_id: text('event_id')
      .notNull()
      .references(() => webhookEvents.id, { onDelete: 'cascade' }),
    status: text('status').$type<DeliveryStatus>().notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** Since creation or the last manual resend. */
    tries: integer('tries').notNull().default(0),
    /** null: no further attempt. */
    next_attempt_at: timestampColumn('next_attempt_at'),
    /** The sender, until the lease expires. */
    lease_owner: text('lease_owner'),
    lease_expires_at: timestampColumn('lease_expires_at'),
    created_at: timestampColumn('created_at').notNull(),
  },
  (table) => [
    index('webhook_deliveries_list').on(table.endpoint_id, table.id),
    uniqueIndex('webhook_deliveries_once').on(table.event_id, table.endpoint_id),
    index('webhook_deliveries_due')
      .on(table.endpoint_id, table.next_attempt_at)
      .where(sql`status = 'pending'`),
    index('webhook_deliveries_leased')
      .on(table.endpoint_id)
      .where(sql`lease_owner is not null`),
  ],
);

/** Where the results of one order go, as a compat adapter in the form of another API takes it. */
export const orderCallbacks = pgTable(
  'order_callbacks',
  {
    generation_id: text('generation_id').primaryKey(),
    organization_id: organizationIdColumn(),
    /** The compat adapter that writes the body. */
    format: text('format').notNull(),
    url: text('url').notNull(),
    events: jsonb('events').$type<('started' | 'completed')[]>().notNull(),
    created_at: timestampColumn('created_at').notNull(),
  },
  (table) => [index('order_callbacks_created').on(table.created_at)],
);

/** What is still to be sent to the address of an order. */
export const callbackDeliveries = pgTable(
  'callback_deliveries',
  {
    generation_id: text('generation_id')
      .notNull()
      .references(() => orderCallbacks.generation_id, { onDelete: 'cascade' }),
    event: text('event').$type<'started' | 'completed'>().notNull(),
    organization_id: organizationIdColumn(),
    key_id: text('key_id').notNull(),
    /** The key, and the host that it named. */
    receiver: text('receiver').notNull(),
    tries: integer('tries').notNull().default(0),
    next_attempt_at: timestampColumn('next_attempt_at').notNull(),
    /** The sender, until the lease expires. */
    lease_owner: text('lease_owner'),
    lease_expires_at: timestampColumn('lease_expires_at'),
  },
  (table) => [
    primaryKey({ columns: [table.generation_id, table.event] }),
    index('callback_deliveries_due').on(table.key_id, table.next_attempt_at),
  ],
);

export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    delivery_id: text('delivery_id')
      .notNull()
      .references(() => webhookDeliveries.id, { onDelete: 'cascade' }),
    /** 1, 2, 3 … within the delivery. */
    number: integer('number').notNull(),
    endpoint_id: text('endpoint_id').notNull(),
    at: timestampColumn('at').notNull(),
    status_code: integer('status_code'),
    error: text('error'),
    latency_ms: integer('latency_ms').notNull(),
    excerpt: text('excerpt'),
  },
  (table) => [
    primaryKey({ columns: [table.delivery_id, table.number] }),
    index('webhook_attempts_endpoint').on(table.endpoint_id, table.at),
  ],
);
