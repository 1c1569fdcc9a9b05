CREATE TABLE "api_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"secret_sha256" text NOT NULL,
	"last_four" text,
	"person_id" text,
	"is_person" boolean DEFAULT false NOT NULL,
	"scopes" jsonb,
	"expires_at" timestamp (3) with time zone,
	"previous_sha256" text,
	"previous_valid_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "api_keys_secret_sha256_unique" UNIQUE("secret_sha256"),
	CONSTRAINT "api_keys_previous_sha256_unique" UNIQUE("previous_sha256")
);
--> statement-breakpoint
CREATE TABLE "organizations" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"members_see_own_work_only" boolean DEFAULT false NOT NULL,
	"approval_above_micro_usd" bigint,
	"low_balance_micro_usd" bigint DEFAULT 5000000,
	"bill_difference_percent" integer DEFAULT 2,
	"alert_mail_roles" text[] DEFAULT '{"administrator"}' NOT NULL,
	"alert_mail_to" text[] DEFAULT '{}' NOT NULL,
	"verification_mail_to" text,
	"sharing_enabled" boolean DEFAULT true NOT NULL,
	"prompt_in_credentials" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "assets" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"generation_id" text NOT NULL,
	"task" text NOT NULL,
	"model" text,
	"position" integer NOT NULL,
	"held" boolean DEFAULT false NOT NULL,
	"filename" text,
	"source_name" text,
	"source_id" text,
	"source_number" integer DEFAULT 1 NOT NULL,
	"edits" text[] DEFAULT '{}' NOT NULL,
	"lost_marks" jsonb,
	"type" text NOT NULL,
	"mime_type" text NOT NULL,
	"storage_key" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"sha256" text NOT NULL,
	"width" integer,
	"height" integer,
	"duration_seconds" double precision,
	"favourite" boolean DEFAULT false NOT NULL,
	"removed_at" timestamp (3) with time zone,
	"trashed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "generations" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"task" text NOT NULL,
	"model" text,
	"model_version" integer,
	"status" text NOT NULL,
	"input" jsonb NOT NULL,
	"input_excerpt" jsonb,
	"metadata" jsonb,
	"progress" double precision,
	"provider_status" jsonb,
	"output_data" jsonb,
	"error" jsonb,
	"amount_micro_usd" bigint NOT NULL,
	"line_items" jsonb NOT NULL,
	"billing_status" text NOT NULL,
	"chain_id" text NOT NULL,
	"retry_of" text,
	"workflow_run_id" text,
	"batch_id" text,
	"output_name" text,
	"created_by" text NOT NULL,
	"tags" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"lease_owner" text,
	"lease_expires_at" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"storage_failed_at" timestamp (3) with time zone,
	"lane" text DEFAULT 'generation.run' NOT NULL,
	"turn" integer DEFAULT 0 NOT NULL,
	"cancel_requested" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"completed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"organization_id" text NOT NULL,
	"scope" text NOT NULL,
	"key" text NOT NULL,
	"fingerprint" text NOT NULL,
	"status" integer NOT NULL,
	"body" json NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_organization_id_scope_key_pk" PRIMARY KEY("organization_id","scope","key")
);
--> statement-breakpoint
CREATE TABLE "uploads" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"created_by" text NOT NULL,
	"filename" text,
	"source" jsonb,
	"type" text NOT NULL,
	"mime_type" text NOT NULL,
	"storage_key" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"sha256" text NOT NULL,
	"width" integer,
	"height" integer,
	"duration_seconds" double precision,
	"favourite" boolean DEFAULT false NOT NULL,
	"removed_at" timestamp (3) with time zone,
	"trashed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "upstream_jobs" (
	"generation_id" text PRIMARY KEY NOT NULL,
	"engine" text NOT NULL,
	"state" text NOT NULL,
	"handle" jsonb,
	"request_id" text,
	"media_lengths" jsonb NOT NULL,
	"cost_micro_usd" bigint,
	"cost_basis" text,
	"connection_id" text,
	"last_problem" text,
	"problem_count" integer DEFAULT 0 NOT NULL,
	"submitted_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"secret_sha256" text PRIMARY KEY NOT NULL,
	"id" text NOT NULL,
	"key_id" text NOT NULL,
	"method" text NOT NULL,
	"address" text,
	"user_agent" text,
	"previous_sha256" text,
	"rotated_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sessions_id_unique" UNIQUE("id"),
	CONSTRAINT "sessions_previous_sha256_unique" UNIQUE("previous_sha256")
);
--> statement-breakpoint
CREATE TABLE "sign_in_tokens" (
	"token_sha256" text PRIMARY KEY NOT NULL,
	"key_id" text NOT NULL,
	"email" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"name" text,
	"email" text,
	"role" text NOT NULL,
	"token_sha256" text NOT NULL,
	"invited_by" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"accepted_by" text,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "invitations_token_sha256_unique" UNIQUE("token_sha256")
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" text PRIMARY KEY NOT NULL,
	"person_id" text NOT NULL,
	"name" text NOT NULL,
	"public_key" text NOT NULL,
	"counter" bigint NOT NULL,
	"transports" text[] NOT NULL,
	"backed_up" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "people" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"name" text NOT NULL,
	"email" text,
	"pending_email" text,
	"role" text NOT NULL,
	"key_id" text NOT NULL,
	"oidc_issuer" text,
	"oidc_subject" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_active_at" timestamp (3) with time zone,
	"removed_at" timestamp (3) with time zone,
	CONSTRAINT "people_key_id_unique" UNIQUE("key_id")
);
--> statement-breakpoint
CREATE TABLE "sign_in_challenges" (
	"id_sha256" text PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"value" text NOT NULL,
	"person_id" text,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_events" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"seq" bigint DEFAULT 0 NOT NULL,
	"action" text NOT NULL,
	"actor_type" text NOT NULL,
	"actor_id" text,
	"actor_name" text NOT NULL,
	"address" text,
	"target_type" text NOT NULL,
	"target_id" text,
	"target_name" text,
	"before" jsonb,
	"after" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	"hash" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_heads" (
	"organization_id" text PRIMARY KEY NOT NULL,
	"last_seq" bigint NOT NULL,
	"last_hash" text NOT NULL,
	"last_event_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "batch_orders" (
	"batch_id" text NOT NULL,
	"index" integer NOT NULL,
	"order" jsonb NOT NULL,
	"input_excerpt" jsonb,
	"state" text NOT NULL,
	"estimated_micro_usd" bigint,
	"generation_id" text,
	"error" jsonb,
	CONSTRAINT "batch_orders_batch_id_index_pk" PRIMARY KEY("batch_id","index")
);
--> statement-breakpoint
CREATE TABLE "batches" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"name" text,
	"mode" text NOT NULL,
	"status" text NOT NULL,
	"pause_reason" text,
	"pause_message" text,
	"stop_at_micro_usd" bigint,
	"approved_micro_usd" bigint,
	"estimated_micro_usd" bigint NOT NULL,
	"metadata" jsonb,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"completed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "accounts" (
	"organization_id" text PRIMARY KEY NOT NULL,
	"available_micro_usd" bigint NOT NULL,
	"reserved_micro_usd" bigint NOT NULL,
	"spent_micro_usd" bigint NOT NULL,
	"last_seq" bigint NOT NULL,
	"last_hash" text DEFAULT '0000000000000000000000000000000000000000000000000000000000000000' NOT NULL,
	"last_entry_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "budgets" (
	"organization_id" text NOT NULL,
	"id" text NOT NULL,
	"scope" text NOT NULL,
	"interval" text NOT NULL,
	"limit_micro_usd" bigint NOT NULL,
	"extra_micro_usd" bigint DEFAULT 0 NOT NULL,
	"warn_at_percent" integer NOT NULL,
	"contact" text,
	"interval_start" date NOT NULL,
	"spent_micro_usd" bigint NOT NULL,
	"reserved_micro_usd" bigint NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"updated_by" text,
	CONSTRAINT "budgets_organization_id_id_pk" PRIMARY KEY("organization_id","id")
);
--> statement-breakpoint
CREATE TABLE "ledger_days" (
	"organization_id" text NOT NULL,
	"by_tags" boolean NOT NULL,
	"type" text NOT NULL,
	"date" date NOT NULL,
	"key_id" text NOT NULL,
	"task" text NOT NULL,
	"model" text NOT NULL,
	"tags" jsonb NOT NULL,
	"amount_micro_usd" bigint NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "ledger_days_pk" PRIMARY KEY("organization_id","by_tags","type","date","key_id","task","model","tags")
);
--> statement-breakpoint
CREATE TABLE "ledger_entries" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"seq" bigint DEFAULT 0 NOT NULL,
	"type" text NOT NULL,
	"amount_micro_usd" bigint NOT NULL,
	"available_after_micro_usd" bigint DEFAULT 0 NOT NULL,
	"balance_after_micro_usd" bigint DEFAULT 0 NOT NULL,
	"generation_id" text,
	"task" text,
	"model" text,
	"workflow_run_id" text,
	"description" text NOT NULL,
	"key_id" text,
	"created_by" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"hash" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_words" (
	"organization_id" text NOT NULL,
	"seq" bigint NOT NULL,
	"generation_id" text,
	"words" "tsvector" NOT NULL,
	CONSTRAINT "ledger_words_organization_id_seq_pk" PRIMARY KEY("organization_id","seq")
);
--> statement-breakpoint
CREATE TABLE "ledger_tags" (
	"organization_id" text NOT NULL,
	"name" text NOT NULL,
	"value" text NOT NULL,
	"type" text NOT NULL,
	"seq" bigint NOT NULL,
	CONSTRAINT "ledger_tags_organization_id_name_value_type_seq_pk" PRIMARY KEY("organization_id","name","value","type","seq")
);
--> statement-breakpoint
CREATE TABLE "price_books" (
	"since" timestamp (3) with time zone PRIMARY KEY NOT NULL,
	"prices" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tags" (
	"organization_id" text NOT NULL,
	"name" text NOT NULL,
	"label" text NOT NULL,
	"required" boolean NOT NULL,
	"values" text[],
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"updated_by" text NOT NULL,
	CONSTRAINT "tags_organization_id_name_pk" PRIMARY KEY("organization_id","name")
);
--> statement-breakpoint
CREATE TABLE "closing_corrections" (
	"organization_id" text NOT NULL,
	"entry_id" text NOT NULL,
	"finding_id" text NOT NULL,
	"month" text NOT NULL,
	"provider_id" text NOT NULL,
	"subject" text NOT NULL,
	"kind" text NOT NULL,
	"generation_id" text,
	"booked_at" timestamp (3) with time zone NOT NULL,
	"amount_nano" bigint NOT NULL,
	"is_correction" boolean NOT NULL,
	CONSTRAINT "closing_corrections_organization_id_entry_id_finding_id_pk" PRIMARY KEY("organization_id","entry_id","finding_id")
);
--> statement-breakpoint
CREATE TABLE "closing_entries" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"seq" bigint DEFAULT 0 NOT NULL,
	"type" text NOT NULL,
	"month" text NOT NULL,
	"provider_id" text,
	"body" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"hash" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "closing_findings" (
	"organization_id" text NOT NULL,
	"month" text NOT NULL,
	"provider_id" text NOT NULL,
	"id" text NOT NULL,
	"subject" text NOT NULL,
	"kind" text NOT NULL,
	"generation_id" text,
	"task" text,
	"model" text,
	"request_id" text,
	"service" text,
	"bill_id" text,
	"row" integer,
	"line_count" integer NOT NULL,
	"job_count" integer NOT NULL,
	"charged_at" timestamp (3) with time zone NOT NULL,
	"booked_at" timestamp (3) with time zone NOT NULL,
	"bill_nano" bigint,
	"cost_nano" bigint,
	"difference_nano" bigint NOT NULL,
	"size_nano" bigint NOT NULL,
	"due_nano" bigint NOT NULL,
	"is_correction" boolean NOT NULL,
	"actions" text[] NOT NULL,
	"detail" jsonb NOT NULL,
	"search" text NOT NULL,
	CONSTRAINT "closing_findings_organization_id_month_provider_id_id_pk" PRIMARY KEY("organization_id","month","provider_id","id")
);
--> statement-breakpoint
CREATE TABLE "closing_heads" (
	"organization_id" text PRIMARY KEY NOT NULL,
	"last_seq" bigint NOT NULL,
	"last_hash" text NOT NULL,
	"last_entry_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "closing_matches" (
	"organization_id" text NOT NULL,
	"month" text NOT NULL,
	"provider_id" text NOT NULL,
	"matched_at" timestamp (3) with time zone NOT NULL,
	"cost_nano" bigint NOT NULL,
	"unknown_cost_count" integer NOT NULL,
	"bill_nano" bigint NOT NULL,
	"corrected_nano" bigint NOT NULL,
	"is_stale" boolean NOT NULL,
	"sums" jsonb NOT NULL,
	CONSTRAINT "closing_matches_organization_id_month_provider_id_pk" PRIMARY KEY("organization_id","month","provider_id")
);
--> statement-breakpoint
CREATE TABLE "provider_bill_lines" (
	"organization_id" text NOT NULL,
	"bill_id" text NOT NULL,
	"row" integer NOT NULL,
	"charged_at" timestamp (3) with time zone NOT NULL,
	"category" text NOT NULL,
	"is_correction" boolean NOT NULL,
	"service" text,
	"description" text,
	"request_id" text,
	"quantity_nano" bigint,
	"unit" text,
	"amount_nano" bigint NOT NULL,
	"usd_nano" bigint NOT NULL,
	CONSTRAINT "provider_bill_lines_organization_id_bill_id_row_pk" PRIMARY KEY("organization_id","bill_id","row")
);
--> statement-breakpoint
CREATE TABLE "provider_bills" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"provider_id" text NOT NULL,
	"month" text NOT NULL,
	"format" text NOT NULL,
	"columns" jsonb NOT NULL,
	"filename" text NOT NULL,
	"storage_key" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"sha256" text NOT NULL,
	"currency" text NOT NULL,
	"usd_rate" text,
	"line_count" integer NOT NULL,
	"amount_nano" bigint NOT NULL,
	"usd_nano" bigint NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"read_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "requests" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"kind" text NOT NULL,
	"status" text NOT NULL,
	"note" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"decided_by" text,
	"decided_at" timestamp (3) with time zone,
	"reason" text,
	"amount_micro_usd" bigint NOT NULL,
	"budget_id" text,
	"permanent" boolean DEFAULT false NOT NULL,
	"order" jsonb,
	"media_ids" text[] DEFAULT '{}' NOT NULL,
	"generation_id" text,
	"workflow_run_id" text,
	"batch_id" text
);
--> statement-breakpoint
CREATE TABLE "generation_tags" (
	"organization_id" text NOT NULL,
	"name" text NOT NULL,
	"value" text NOT NULL,
	"generation_id" text NOT NULL,
	CONSTRAINT "generation_tags_organization_id_name_value_generation_id_pk" PRIMARY KEY("organization_id","name","value","generation_id")
);
--> statement-breakpoint
CREATE TABLE "tag_values" (
	"organization_id" text NOT NULL,
	"name" text NOT NULL,
	"created_by" text NOT NULL,
	"value" text NOT NULL,
	"last_used_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "tag_values_organization_id_name_created_by_value_pk" PRIMARY KEY("organization_id","name","created_by","value")
);
--> statement-breakpoint
CREATE TABLE "callback_deliveries" (
	"generation_id" text NOT NULL,
	"event" text NOT NULL,
	"organization_id" text NOT NULL,
	"key_id" text NOT NULL,
	"receiver" text NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone NOT NULL,
	"lease_owner" text,
	"lease_expires_at" timestamp (3) with time zone,
	CONSTRAINT "callback_deliveries_generation_id_event_pk" PRIMARY KEY("generation_id","event")
);
--> statement-breakpoint
CREATE TABLE "order_callbacks" (
	"generation_id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"format" text NOT NULL,
	"url" text NOT NULL,
	"events" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_attempts" (
	"delivery_id" text NOT NULL,
	"number" integer NOT NULL,
	"endpoint_id" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"status_code" integer,
	"error" text,
	"latency_ms" integer NOT NULL,
	"excerpt" text,
	CONSTRAINT "webhook_attempts_delivery_id_number_pk" PRIMARY KEY("delivery_id","number")
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"endpoint_id" text NOT NULL,
	"event_id" text NOT NULL,
	"status" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"lease_owner" text,
	"lease_expires_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"url" text NOT NULL,
	"events" jsonb NOT NULL,
	"secret_sealed" text NOT NULL,
	"previous_secret_sealed" text,
	"previous_secret_expires_at" timestamp (3) with time zone,
	"last_delivery_at" timestamp (3) with time zone,
	"last_delivery_status" text,
	"failing_since" timestamp (3) with time zone,
	"disabled_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "webhook_events" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"type" text NOT NULL,
	"generation_id" text,
	"test" boolean NOT NULL,
	"object" json NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "alerts" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"kind" text NOT NULL,
	"subject_id" text NOT NULL,
	"subject_name" text NOT NULL,
	"period" text NOT NULL,
	"message" text NOT NULL,
	"raised_at" timestamp (3) with time zone NOT NULL,
	"acknowledged_at" timestamp (3) with time zone,
	"acknowledged_by" text,
	"resolved_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "ledger_verifications" (
	"organization_id" text NOT NULL,
	"date" date NOT NULL,
	"ok" boolean NOT NULL,
	"head_seq" bigint,
	"head_hash" text,
	"result" jsonb NOT NULL,
	"completed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "ledger_verifications_organization_id_date_pk" PRIMARY KEY("organization_id","date")
);
--> statement-breakpoint
CREATE TABLE "asset_words" (
	"asset_id" text PRIMARY KEY NOT NULL,
	"words" "tsvector" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "generation_words" (
	"generation_id" text PRIMARY KEY NOT NULL,
	"words" "tsvector" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "media_archives" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"filename" text NOT NULL,
	"media_ids" jsonb NOT NULL,
	"is_bare" boolean DEFAULT false NOT NULL,
	"starts" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "media_uses" (
	"generation_id" text NOT NULL,
	"field" text NOT NULL,
	"organization_id" text NOT NULL,
	"media_id" text NOT NULL,
	"media_type" text NOT NULL,
	CONSTRAINT "media_uses_generation_id_field_pk" PRIMARY KEY("generation_id","field")
);
--> statement-breakpoint
CREATE TABLE "upload_words" (
	"upload_id" text PRIMARY KEY NOT NULL,
	"words" "tsvector" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "collection_items" (
	"collection_id" text NOT NULL,
	"media_id" text NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "collection_items_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"added_by" text NOT NULL,
	"added_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "collection_items_collection_id_media_id_pk" PRIMARY KEY("collection_id","media_id")
);
--> statement-breakpoint
CREATE TABLE "collections" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"cover_media_id" text,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "media_labels" (
	"organization_id" text NOT NULL,
	"label" text NOT NULL,
	"text" text NOT NULL,
	"media_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "media_labels_organization_id_label_media_id_pk" PRIMARY KEY("organization_id","label","media_id")
);
--> statement-breakpoint
CREATE TABLE "organization_logos" (
	"organization_id" text PRIMARY KEY NOT NULL,
	"storage_key" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"sha256" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "share_answers" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"share_id" text NOT NULL,
	"media_id" text NOT NULL,
	"client_id" text NOT NULL,
	"client_name" text NOT NULL,
	"verdict" text NOT NULL,
	"comment" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "shares" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"media_ids" text[],
	"versions" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"collection_id" text,
	"token_sha256" text NOT NULL,
	"token_encrypted" text NOT NULL,
	"title" text,
	"shows_prompts" boolean NOT NULL,
	"allows_downloads" boolean NOT NULL,
	"shows_organization" boolean NOT NULL,
	"asks_for" text,
	"code_hash" text,
	"taken_answers" integer DEFAULT 0 NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	"view_count" integer DEFAULT 0 NOT NULL,
	"last_viewed_at" timestamp (3) with time zone,
	CONSTRAINT "shares_token_sha256_unique" UNIQUE("token_sha256")
);
--> statement-breakpoint
CREATE TABLE "asset_credentials" (
	"asset_id" text PRIMARY KEY NOT NULL,
	"place" text NOT NULL,
	"ai" text,
	"record_salt" text NOT NULL,
	"sidecar" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "signing_certificates" (
	"id" text PRIMARY KEY NOT NULL,
	"chain" text NOT NULL,
	"key_encrypted" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "workflow_items" (
	"run_id" text NOT NULL,
	"step_key" text NOT NULL,
	"index" integer NOT NULL,
	"item" json,
	"label" text,
	"generation_id" text,
	"kept" boolean DEFAULT false NOT NULL,
	"error" jsonb,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "workflow_items_run_id_step_key_index_pk" PRIMARY KEY("run_id","step_key","index")
);
--> statement-breakpoint
CREATE TABLE "workflow_runs" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"starter_slug" text NOT NULL,
	"starter_name" text NOT NULL,
	"definition" json NOT NULL,
	"outline" json DEFAULT '[]'::json NOT NULL,
	"input" json NOT NULL,
	"input_excerpt" json,
	"status" text NOT NULL,
	"output" json,
	"output_excerpt" json,
	"error" jsonb,
	"estimate" jsonb,
	"chain_id" text NOT NULL,
	"retry_of" text,
	"created_by" text NOT NULL,
	"metadata" jsonb,
	"tags" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"cancel_reason" text,
	"canceled_by" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"completed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "workflow_starters" (
	"organization_id" text NOT NULL,
	"slug" text NOT NULL,
	"definition" json NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "workflow_starters_organization_id_slug_pk" PRIMARY KEY("organization_id","slug")
);
--> statement-breakpoint
CREATE TABLE "workflow_steps" (
	"run_id" text NOT NULL,
	"key" text NOT NULL,
	"state" text NOT NULL,
	"error" jsonb,
	"begun_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "workflow_steps_run_id_key_pk" PRIMARY KEY("run_id","key")
);
--> statement-breakpoint
CREATE TABLE "resumable_parts" (
	"resumable_id" text NOT NULL,
	"offset_bytes" bigint NOT NULL,
	"size_bytes" integer NOT NULL,
	"storage_key" text NOT NULL,
	CONSTRAINT "resumable_parts_resumable_id_offset_bytes_pk" PRIMARY KEY("resumable_id","offset_bytes"),
	CONSTRAINT "resumable_parts_storage_key_unique" UNIQUE("storage_key")
);
--> statement-breakpoint
CREATE TABLE "resumable_uploads" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"created_by" text NOT NULL,
	"metadata" json,
	"length_bytes" bigint,
	"upload_id" text,
	"lock_owner" text,
	"lock_expires_at" timestamp (3) with time zone,
	"lock_wanted" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"points" integer NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "media_derivations" (
	"source_key" text PRIMARY KEY NOT NULL,
	"state" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"problem" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "media_derivatives" (
	"source_key" text NOT NULL,
	"variant" text NOT NULL,
	"type" text NOT NULL,
	"mime_type" text NOT NULL,
	"storage_key" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"sha256" text NOT NULL,
	"width" integer,
	"height" integer,
	"duration_seconds" double precision,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "media_derivatives_source_key_variant_pk" PRIMARY KEY("source_key","variant")
);
--> statement-breakpoint
CREATE TABLE "provider_billing_keys" (
	"connection_id" text PRIMARY KEY NOT NULL,
	"sealed_key" text NOT NULL,
	"last_four" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"read_at" timestamp (3) with time zone,
	"problem" text,
	"failing_since" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "provider_connections" (
	"id" text PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"address" text,
	"models" jsonb NOT NULL,
	"visible_watermark" boolean DEFAULT false NOT NULL,
	"cost_ratios" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"text_model" jsonb,
	"state" text NOT NULL,
	"paused_reason" text,
	"preferred_at" timestamp (3) with time zone,
	"account_problems" integer DEFAULT 0 NOT NULL,
	"last_problem" text,
	"last_problem_at" timestamp (3) with time zone,
	"created_by" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"disconnected_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "provider_credentials" (
	"connection_id" text NOT NULL,
	"version" integer NOT NULL,
	"sealed_key" text,
	"last_four" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"retired_at" timestamp (3) with time zone,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "provider_credentials_connection_id_version_pk" PRIMARY KEY("connection_id","version")
);
--> statement-breakpoint
CREATE TABLE "text_model_calls" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"connection_id" text NOT NULL,
	"created_by" text NOT NULL,
	"task" text NOT NULL,
	"model" text,
	"text_model" text NOT NULL,
	"status" text NOT NULL,
	"input_tokens" integer,
	"output_tokens" integer,
	"cost_micro_usd" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"completed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "added_model_versions" (
	"model_id" text NOT NULL,
	"version" integer NOT NULL,
	"task" text NOT NULL,
	"provider_model" text NOT NULL,
	"provider_version" text,
	"page_url" text,
	"source" jsonb NOT NULL,
	"normalized" jsonb NOT NULL,
	"provider_data" jsonb,
	"price" jsonb NOT NULL,
	"markup_percent" integer NOT NULL,
	"published_price" jsonb,
	"price_text" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "added_model_versions_model_id_version_pk" PRIMARY KEY("model_id","version")
);
--> statement-breakpoint
CREATE TABLE "added_models" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"connection_id" text NOT NULL,
	"provider" text NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"state" text NOT NULL,
	"paused_reason" text,
	"audience" jsonb NOT NULL,
	"sample_asset_id" text,
	"test_ids" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"version" integer NOT NULL,
	"drift" jsonb,
	"checked_at" timestamp (3) with time zone,
	"created_by" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "received_files" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"generation_id" text NOT NULL,
	"position" integer NOT NULL,
	"filename" text NOT NULL,
	"reason" text NOT NULL,
	"storage_key" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"sha256" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reviews" (
	"generation_id" text PRIMARY KEY NOT NULL,
	"reason" text NOT NULL,
	"held_data" jsonb,
	"charge_micro_usd" bigint NOT NULL,
	"charge_line_items" jsonb NOT NULL,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"decision" text,
	"note" text,
	"decided_by" text,
	"decided_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "catalog_labels" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"updated_by" text NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "presets" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"name" text NOT NULL,
	"task" text NOT NULL,
	"model" text,
	"input" jsonb NOT NULL,
	"prompt" text,
	"shared" boolean NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assets" ADD CONSTRAINT "assets_generation_id_generations_id_fk" FOREIGN KEY ("generation_id") REFERENCES "public"."generations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "generations" ADD CONSTRAINT "generations_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "generations" ADD CONSTRAINT "generations_created_by_api_keys_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upstream_jobs" ADD CONSTRAINT "upstream_jobs_generation_id_generations_id_fk" FOREIGN KEY ("generation_id") REFERENCES "public"."generations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_tokens" ADD CONSTRAINT "sign_in_tokens_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invited_by_api_keys_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_accepted_by_people_id_fk" FOREIGN KEY ("accepted_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "people" ADD CONSTRAINT "people_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "people" ADD CONSTRAINT "people_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_challenges" ADD CONSTRAINT "sign_in_challenges_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_events" ADD CONSTRAINT "audit_events_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_heads" ADD CONSTRAINT "audit_heads_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batch_orders" ADD CONSTRAINT "batch_orders_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batch_orders" ADD CONSTRAINT "batch_orders_generation_id_generations_id_fk" FOREIGN KEY ("generation_id") REFERENCES "public"."generations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batches" ADD CONSTRAINT "batches_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batches" ADD CONSTRAINT "batches_created_by_api_keys_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "budgets" ADD CONSTRAINT "budgets_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "budgets" ADD CONSTRAINT "budgets_updated_by_api_keys_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_days" ADD CONSTRAINT "ledger_days_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_generation_id_generations_id_fk" FOREIGN KEY ("generation_id") REFERENCES "public"."generations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_created_by_api_keys_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_words" ADD CONSTRAINT "ledger_words_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_tags" ADD CONSTRAINT "ledger_tags_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tags" ADD CONSTRAINT "tags_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tags" ADD CONSTRAINT "tags_updated_by_api_keys_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "closing_corrections" ADD CONSTRAINT "closing_corrections_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "closing_corrections" ADD CONSTRAINT "closing_corrections_generation_id_generations_id_fk" FOREIGN KEY ("generation_id") REFERENCES "public"."generations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "closing_entries" ADD CONSTRAINT "closing_entries_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "closing_entries" ADD CONSTRAINT "closing_entries_created_by_api_keys_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "closing_findings" ADD CONSTRAINT "closing_findings_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "closing_heads" ADD CONSTRAINT "closing_heads_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "closing_matches" ADD CONSTRAINT "closing_matches_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_bill_lines" ADD CONSTRAINT "provider_bill_lines_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_bill_lines" ADD CONSTRAINT "provider_bill_lines_bill_id_provider_bills_id_fk" FOREIGN KEY ("bill_id") REFERENCES "public"."provider_bills"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_bills" ADD CONSTRAINT "provider_bills_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_bills" ADD CONSTRAINT "provider_bills_created_by_api_keys_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_created_by_api_keys_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_decided_by_api_keys_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_generation_id_generations_id_fk" FOREIGN KEY ("generation_id") REFERENCES "public"."generations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_workflow_run_id_workflow_runs_id_fk" FOREIGN KEY ("workflow_run_id") REFERENCES "public"."workflow_runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "generation_tags" ADD CONSTRAINT "generation_tags_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tag_values" ADD CONSTRAINT "tag_values_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "callback_deliveries" ADD CONSTRAINT "callback_deliveries_generation_id_order_callbacks_generation_id_fk" FOREIGN KEY ("generation_id") REFERENCES "public"."order_callbacks"("generation_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "callback_deliveries" ADD CONSTRAINT "callback_deliveries_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_callbacks" ADD CONSTRAINT "order_callbacks_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_webhook_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."webhook_deliveries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_webhook_endpoints_id_fk" FOREIGN KEY ("endpoint_id") REFERENCES "public"."webhook_endpoints"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event_id_webhook_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."webhook_events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_events" ADD CONSTRAINT "webhook_events_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_acknowledged_by_api_keys_id_fk" FOREIGN KEY ("acknowledged_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_verifications" ADD CONSTRAINT "ledger_verifications_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "asset_words" ADD CONSTRAINT "asset_words_asset_id_assets_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."assets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "generation_words" ADD CONSTRAINT "generation_words_generation_id_generations_id_fk" FOREIGN KEY ("generation_id") REFERENCES "public"."generations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "media_archives" ADD CONSTRAINT "media_archives_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "media_uses" ADD CONSTRAINT "media_uses_generation_id_generations_id_fk" FOREIGN KEY ("generation_id") REFERENCES "public"."generations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "media_uses" ADD CONSTRAINT "media_uses_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upload_words" ADD CONSTRAINT "upload_words_upload_id_uploads_id_fk" FOREIGN KEY ("upload_id") REFERENCES "public"."uploads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "collection_items" ADD CONSTRAINT "collection_items_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "collections" ADD CONSTRAINT "collections_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "collections" ADD CONSTRAINT "collections_created_by_api_keys_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "media_labels" ADD CONSTRAINT "media_labels_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "organization_logos" ADD CONSTRAINT "organization_logos_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "share_answers" ADD CONSTRAINT "share_answers_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "share_answers" ADD CONSTRAINT "share_answers_share_id_shares_id_fk" FOREIGN KEY ("share_id") REFERENCES "public"."shares"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shares" ADD CONSTRAINT "shares_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shares" ADD CONSTRAINT "shares_created_by_api_keys_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "asset_credentials" ADD CONSTRAINT "asset_credentials_asset_id_assets_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."assets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_items" ADD CONSTRAINT "workflow_items_generation_id_generations_id_fk" FOREIGN KEY ("generation_id") REFERENCES "public"."generations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_items" ADD CONSTRAINT "workflow_items_step" FOREIGN KEY ("run_id","step_key") REFERENCES "public"."workflow_steps"("run_id","key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD CONSTRAINT "workflow_runs_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD CONSTRAINT "workflow_runs_created_by_api_keys_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD CONSTRAINT "workflow_runs_canceled_by_api_keys_id_fk" FOREIGN KEY ("canceled_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_starters" ADD CONSTRAINT "workflow_starters_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_starters" ADD CONSTRAINT "workflow_starters_created_by_api_keys_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_steps" ADD CONSTRAINT "workflow_steps_run_id_workflow_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."workflow_runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resumable_parts" ADD CONSTRAINT "resumable_parts_resumable_id_resumable_uploads_id_fk" FOREIGN KEY ("resumable_id") REFERENCES "public"."resumable_uploads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resumable_uploads" ADD CONSTRAINT "resumable_uploads_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "media_derivatives" ADD CONSTRAINT "media_derivatives_source_key_media_derivations_source_key_fk" FOREIGN KEY ("source_key") REFERENCES "public"."media_derivations"("source_key") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_billing_keys" ADD CONSTRAINT "provider_billing_keys_connection_id_provider_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."provider_connections"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_billing_keys" ADD CONSTRAINT "provider_billing_keys_created_by_api_keys_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_connections" ADD CONSTRAINT "provider_connections_created_by_api_keys_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_credentials" ADD CONSTRAINT "provider_credentials_connection_id_provider_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."provider_connections"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "text_model_calls" ADD CONSTRAINT "text_model_calls_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "text_model_calls" ADD CONSTRAINT "text_model_calls_connection_id_provider_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."provider_connections"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "text_model_calls" ADD CONSTRAINT "text_model_calls_created_by_api_keys_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "added_model_versions" ADD CONSTRAINT "added_model_versions_model_id_added_models_id_fk" FOREIGN KEY ("model_id") REFERENCES "public"."added_models"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "added_models" ADD CONSTRAINT "added_models_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "added_models" ADD CONSTRAINT "added_models_connection_id_provider_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."provider_connections"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "added_models" ADD CONSTRAINT "added_models_created_by_api_keys_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "received_files" ADD CONSTRAINT "received_files_generation_id_generations_id_fk" FOREIGN KEY ("generation_id") REFERENCES "public"."generations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_generation_id_generations_id_fk" FOREIGN KEY ("generation_id") REFERENCES "public"."generations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_decided_by_api_keys_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "catalog_labels" ADD CONSTRAINT "catalog_labels_updated_by_api_keys_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "presets" ADD CONSTRAINT "presets_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "presets" ADD CONSTRAINT "presets_created_by_api_keys_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_organization" ON "api_keys" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "api_keys_person" ON "api_keys" USING btree ("person_id") WHERE person_id is not null;--> statement-breakpoint
CREATE INDEX "assets_generation" ON "assets" USING btree ("generation_id","position");--> statement-breakpoint
CREATE INDEX "assets_storage_key" ON "assets" USING btree ("storage_key");--> statement-breakpoint
CREATE INDEX "assets_age" ON "assets" USING btree ("created_at") WHERE removed_at is null;--> statement-breakpoint
CREATE INDEX "assets_source" ON "assets" USING btree ("organization_id","source_name") WHERE source_name is not null;--> statement-breakpoint
CREATE INDEX "assets_library" ON "assets" USING btree ("organization_id","created_at","id") WHERE removed_at is null and not held;--> statement-breakpoint
CREATE INDEX "assets_library_type" ON "assets" USING btree ("organization_id","type","created_at","id") WHERE removed_at is null and not held;--> statement-breakpoint
CREATE INDEX "assets_library_task" ON "assets" USING btree ("organization_id","task","created_at","id") WHERE removed_at is null and not held;--> statement-breakpoint
CREATE INDEX "assets_library_model" ON "assets" USING btree ("organization_id","model","created_at","id") WHERE removed_at is null and not held;--> statement-breakpoint
CREATE INDEX "assets_trash" ON "assets" USING btree ("organization_id","created_at","id") WHERE trashed_at is not null;--> statement-breakpoint
CREATE INDEX "assets_favourites" ON "assets" USING btree ("organization_id","created_at","id") WHERE favourite and removed_at is null and not held;--> statement-breakpoint
CREATE INDEX "generations_list" ON "generations" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "generations_maker" ON "generations" USING btree ("created_by","created_at","id");--> statement-breakpoint
CREATE INDEX "generations_status" ON "generations" USING btree ("organization_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "generations_task" ON "generations" USING btree ("organization_id","task","created_at","id");--> statement-breakpoint
CREATE INDEX "generations_model" ON "generations" USING btree ("organization_id","model","created_at","id");--> statement-breakpoint
CREATE INDEX "generations_completed" ON "generations" USING btree ("organization_id","completed_at") WHERE completed_at is not null;--> statement-breakpoint
CREATE INDEX "generations_duration" ON "generations" USING btree ("organization_id",(completed_at - started_at),"id") WHERE (completed_at - started_at) is not null;--> statement-breakpoint
CREATE INDEX "generations_cost" ON "generations" USING btree ("organization_id",(case when billing_status = 'released' then 0 else amount_micro_usd end),"id");--> statement-breakpoint
CREATE INDEX "generations_chain" ON "generations" USING btree ("chain_id","id");--> statement-breakpoint
CREATE INDEX "generations_batch" ON "generations" USING btree ("batch_id","id") WHERE batch_id is not null;--> statement-breakpoint
CREATE INDEX "generations_reserved" ON "generations" USING btree ("organization_id","id") WHERE billing_status = 'reserved';--> statement-breakpoint
CREATE INDEX "generations_active" ON "generations" USING btree ("lease_expires_at") WHERE status in ('queued', 'running');--> statement-breakpoint
CREATE INDEX "generations_turns" ON "generations" USING btree ("lane","turn") WHERE status = 'queued';--> statement-breakpoint
CREATE INDEX "generations_queued" ON "generations" USING btree ("created_by","lane","turn") WHERE status = 'queued';--> statement-breakpoint
CREATE UNIQUE INDEX "generations_active_retry" ON "generations" USING btree ("chain_id") WHERE status in ('queued', 'running');--> statement-breakpoint
CREATE INDEX "idempotency_keys_created" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "uploads_list" ON "uploads" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "uploads_maker" ON "uploads" USING btree ("created_by","id");--> statement-breakpoint
CREATE INDEX "uploads_storage_key" ON "uploads" USING btree ("storage_key");--> statement-breakpoint
CREATE INDEX "uploads_content" ON "uploads" USING btree ("organization_id","sha256");--> statement-breakpoint
CREATE INDEX "uploads_age" ON "uploads" USING btree ("created_at") WHERE removed_at is null;--> statement-breakpoint
CREATE INDEX "uploads_removed" ON "uploads" USING btree ("id") WHERE removed_at is not null;--> statement-breakpoint
CREATE INDEX "uploads_library" ON "uploads" USING btree ("organization_id","created_at","id") WHERE removed_at is null;--> statement-breakpoint
CREATE INDEX "uploads_library_type" ON "uploads" USING btree ("organization_id","type","created_at","id") WHERE removed_at is null;--> statement-breakpoint
CREATE INDEX "uploads_trash" ON "uploads" USING btree ("organization_id","created_at","id") WHERE trashed_at is not null;--> statement-breakpoint
CREATE INDEX "uploads_favourites" ON "uploads" USING btree ("organization_id","created_at","id") WHERE favourite and removed_at is null;--> statement-breakpoint
CREATE INDEX "upstream_jobs_connection" ON "upstream_jobs" USING btree ("connection_id","submitted_at") WHERE connection_id is not null;--> statement-breakpoint
CREATE INDEX "upstream_jobs_request" ON "upstream_jobs" USING btree ("request_id") WHERE request_id is not null;--> statement-breakpoint
CREATE INDEX "upstream_jobs_unfinished" ON "upstream_jobs" USING btree ("engine") WHERE state <> 'ended';--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sessions_key" ON "sessions" USING btree ("key_id","expires_at");--> statement-breakpoint
CREATE INDEX "sign_in_tokens_expiry" ON "sign_in_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sign_in_tokens_key" ON "sign_in_tokens" USING btree ("key_id","created_at");--> statement-breakpoint
CREATE INDEX "invitations_organization" ON "invitations" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "passkeys_person" ON "passkeys" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "people_organization" ON "people" USING btree ("organization_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "people_email" ON "people" USING btree ("email") WHERE removed_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "people_oidc" ON "people" USING btree ("oidc_issuer","oidc_subject") WHERE removed_at is null;--> statement-breakpoint
CREATE INDEX "sign_in_challenges_expiry" ON "sign_in_challenges" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "audit_events_seq" ON "audit_events" USING btree ("organization_id","seq");--> statement-breakpoint
CREATE INDEX "audit_events_action" ON "audit_events" USING btree ("organization_id","action","seq");--> statement-breakpoint
CREATE INDEX "audit_events_actor" ON "audit_events" USING btree ("organization_id","actor_id","seq");--> statement-breakpoint
CREATE INDEX "audit_events_target" ON "audit_events" USING btree ("organization_id","target_id","seq");--> statement-breakpoint
CREATE INDEX "audit_events_time" ON "audit_events" USING btree ("organization_id","created_at","seq");--> statement-breakpoint
CREATE UNIQUE INDEX "batch_orders_generation" ON "batch_orders" USING btree ("generation_id");--> statement-breakpoint
CREATE INDEX "batch_orders_waiting" ON "batch_orders" USING btree ("batch_id","index") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "batches_list" ON "batches" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "batches_maker" ON "batches" USING btree ("created_by","id");--> statement-breakpoint
CREATE INDEX "batches_running" ON "batches" USING btree ("updated_at") WHERE status = 'running';--> statement-breakpoint
CREATE UNIQUE INDEX "budgets_scope" ON "budgets" USING btree ("organization_id","scope","interval");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entries_seq" ON "ledger_entries" USING btree ("organization_id","seq");--> statement-breakpoint
CREATE INDEX "ledger_entries_time" ON "ledger_entries" USING btree ("organization_id","created_at","seq");--> statement-breakpoint
CREATE INDEX "ledger_entries_type" ON "ledger_entries" USING btree ("organization_id","type","seq");--> statement-breakpoint
CREATE INDEX "ledger_entries_model" ON "ledger_entries" USING btree ("organization_id","task",coalesce("model", ''),"type","seq");--> statement-breakpoint
CREATE INDEX "ledger_entries_of_model" ON "ledger_entries" USING btree ("organization_id","model","seq") WHERE model is not null;--> statement-breakpoint
CREATE INDEX "ledger_entries_key" ON "ledger_entries" USING btree ("organization_id","key_id","task",coalesce("model", ''),"type","seq");--> statement-breakpoint
CREATE INDEX "ledger_entries_generation" ON "ledger_entries" USING btree ("generation_id");--> statement-breakpoint
CREATE INDEX "ledger_entries_amount" ON "ledger_entries" USING btree ("organization_id","amount_micro_usd","seq");--> statement-breakpoint
CREATE INDEX "ledger_entries_run" ON "ledger_entries" USING btree ("workflow_run_id","seq") WHERE workflow_run_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entries_once" ON "ledger_entries" USING btree ("generation_id","type") WHERE type in ('RESERVE', 'RELEASE', 'SETTLE');--> statement-breakpoint
CREATE INDEX "ledger_words_generation" ON "ledger_words" USING btree ("generation_id") WHERE generation_id is not null;--> statement-breakpoint
CREATE INDEX "ledger_words_words" ON "ledger_words" USING gin ("words");--> statement-breakpoint
CREATE INDEX "closing_corrections_subject" ON "closing_corrections" USING btree ("organization_id","month","provider_id","subject");--> statement-breakpoint
CREATE INDEX "closing_corrections_time" ON "closing_corrections" USING btree ("organization_id","booked_at");--> statement-breakpoint
CREATE INDEX "closing_corrections_generation" ON "closing_corrections" USING btree ("generation_id") WHERE generation_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "closing_entries_seq" ON "closing_entries" USING btree ("organization_id","seq");--> statement-breakpoint
CREATE INDEX "closing_entries_month" ON "closing_entries" USING btree ("organization_id","month","seq");--> statement-breakpoint
CREATE UNIQUE INDEX "closing_findings_id" ON "closing_findings" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "closing_findings_size" ON "closing_findings" USING btree ("organization_id","month","size_nano","id");--> statement-breakpoint
CREATE INDEX "closing_findings_kind" ON "closing_findings" USING btree ("organization_id","month","provider_id","kind","size_nano","id");--> statement-breakpoint
CREATE INDEX "provider_bill_lines_request" ON "provider_bill_lines" USING btree ("organization_id","request_id") WHERE request_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "provider_bills_file" ON "provider_bills" USING btree ("organization_id","sha256");--> statement-breakpoint
CREATE INDEX "provider_bills_month" ON "provider_bills" USING btree ("organization_id","month","provider_id");--> statement-breakpoint
CREATE INDEX "provider_bills_storage_key" ON "provider_bills" USING btree ("storage_key");--> statement-breakpoint
CREATE UNIQUE INDEX "provider_bills_read" ON "provider_bills" USING btree ("organization_id","provider_id","month") WHERE read_at is not null;--> statement-breakpoint
CREATE INDEX "requests_list" ON "requests" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "requests_own" ON "requests" USING btree ("organization_id","created_by","id");--> statement-breakpoint
CREATE INDEX "requests_pending" ON "requests" USING btree ("organization_id","id") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "tag_values_recent" ON "tag_values" USING btree ("organization_id","name","last_used_at");--> statement-breakpoint
CREATE INDEX "tag_values_spelling" ON "tag_values" USING btree ("organization_id","name",lower(value));--> statement-breakpoint
CREATE INDEX "callback_deliveries_due" ON "callback_deliveries" USING btree ("key_id","next_attempt_at");--> statement-breakpoint
CREATE INDEX "order_callbacks_created" ON "order_callbacks" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "webhook_attempts_endpoint" ON "webhook_attempts" USING btree ("endpoint_id","at");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_list" ON "webhook_deliveries" USING btree ("endpoint_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_once" ON "webhook_deliveries" USING btree ("event_id","endpoint_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("endpoint_id","next_attempt_at") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_leased" ON "webhook_deliveries" USING btree ("endpoint_id") WHERE lease_owner is not null;--> statement-breakpoint
CREATE INDEX "webhook_endpoints_organization" ON "webhook_endpoints" USING btree ("organization_id","created_at") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "webhook_events_created" ON "webhook_events" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "alerts_once" ON "alerts" USING btree ("organization_id","kind","subject_id","period");--> statement-breakpoint
CREATE INDEX "alerts_list" ON "alerts" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "alerts_kind" ON "alerts" USING btree ("organization_id","kind","id");--> statement-breakpoint
CREATE INDEX "alerts_unresolved" ON "alerts" USING btree ("organization_id","id") WHERE resolved_at is null;--> statement-breakpoint
CREATE INDEX "asset_words_words" ON "asset_words" USING gin ("words");--> statement-breakpoint
CREATE INDEX "generation_words_words" ON "generation_words" USING gin ("words");--> statement-breakpoint
CREATE INDEX "media_archives_expiry" ON "media_archives" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "media_uses_medium" ON "media_uses" USING btree ("organization_id","media_id","generation_id");--> statement-breakpoint
CREATE INDEX "upload_words_words" ON "upload_words" USING gin ("words");--> statement-breakpoint
CREATE INDEX "collection_items_order" ON "collection_items" USING btree ("collection_id","position");--> statement-breakpoint
CREATE INDEX "collection_items_media" ON "collection_items" USING btree ("media_id");--> statement-breakpoint
CREATE INDEX "collections_list" ON "collections" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "media_labels_media" ON "media_labels" USING btree ("media_id");--> statement-breakpoint
CREATE UNIQUE INDEX "share_answers_client" ON "share_answers" USING btree ("share_id","client_id","media_id");--> statement-breakpoint
CREATE INDEX "share_answers_media" ON "share_answers" USING btree ("media_id");--> statement-breakpoint
CREATE INDEX "share_answers_list" ON "share_answers" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "shares_list" ON "shares" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "shares_open" ON "shares" USING btree ("organization_id","id") WHERE revoked_at is null;--> statement-breakpoint
CREATE INDEX "shares_media" ON "shares" USING gin ("media_ids");--> statement-breakpoint
CREATE INDEX "shares_collection" ON "shares" USING btree ("collection_id");--> statement-breakpoint
CREATE INDEX "workflow_items_generation" ON "workflow_items" USING btree ("generation_id");--> statement-breakpoint
CREATE INDEX "workflow_runs_maker" ON "workflow_runs" USING btree ("created_by","id");--> statement-breakpoint
CREATE INDEX "workflow_runs_list" ON "workflow_runs" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "workflow_runs_status" ON "workflow_runs" USING btree ("organization_id","status","id");--> statement-breakpoint
CREATE INDEX "workflow_runs_starter" ON "workflow_runs" USING btree ("organization_id","starter_slug","id");--> statement-breakpoint
CREATE INDEX "workflow_runs_chain" ON "workflow_runs" USING btree ("chain_id","id");--> statement-breakpoint
CREATE INDEX "workflow_runs_active" ON "workflow_runs" USING btree ("updated_at") WHERE status in ('queued', 'running');--> statement-breakpoint
CREATE INDEX "workflow_runs_turns" ON "workflow_runs" USING btree ("created_by","id") WHERE status in ('queued', 'running');--> statement-breakpoint
CREATE UNIQUE INDEX "workflow_runs_active_retry" ON "workflow_runs" USING btree ("chain_id") WHERE status in ('queued', 'running');--> statement-breakpoint
CREATE INDEX "resumable_uploads_expiry" ON "resumable_uploads" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "resumable_uploads_open" ON "resumable_uploads" USING btree ("created_by") WHERE upload_id is null;--> statement-breakpoint
CREATE INDEX "rate_limits_expiry" ON "rate_limits" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "media_derivations_waiting" ON "media_derivations" USING btree ("created_at") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "media_derivatives_storage_key" ON "media_derivatives" USING btree ("storage_key");--> statement-breakpoint
CREATE INDEX "provider_credentials_retired" ON "provider_credentials" USING btree ("retired_at");--> statement-breakpoint
CREATE INDEX "text_model_calls_connection" ON "text_model_calls" USING btree ("connection_id","created_at");--> statement-breakpoint
CREATE INDEX "text_model_calls_organization" ON "text_model_calls" USING btree ("organization_id","created_at");--> statement-breakpoint
CREATE INDEX "added_models_organization" ON "added_models" USING btree ("organization_id","created_at");--> statement-breakpoint
CREATE INDEX "received_files_generation" ON "received_files" USING btree ("generation_id","position");--> statement-breakpoint
CREATE INDEX "received_files_storage_key" ON "received_files" USING btree ("storage_key");--> statement-breakpoint
CREATE INDEX "received_files_age" ON "received_files" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "presets_own" ON "presets" USING btree ("created_by","id");--> statement-breakpoint
CREATE INDEX "presets_shared" ON "presets" USING btree ("organization_id","id") WHERE shared;
--> statement-breakpoint
-- The rules of the ledger that the database enforces; docs/ledger.md describes them. SQLSTATEs that the service reads
-- (billing-errors.ts, lock-key.ts):
--   EM001  more than the available funds     EM003  refund above the charge           EM005  change of an entry or a sum
--   EM002  above a budget                    EM004  entry that does not fit earlier   EM006  the key was revoked

-- Hashes the canonical form of an entry (docs/ledger.md). ledger-audit.ts computes the same in JavaScript.
CREATE OR REPLACE FUNCTION "ledger_entry_hash"("previous_hash" text, "entry" "ledger_entries") RETURNS text LANGUAGE sql STABLE AS $$
	SELECT encode(sha256(convert_to('[' || array_to_string(ARRAY[
		to_json(previous_hash)::text,
		to_json(entry.organization_id)::text,
		to_json(entry.seq::text)::text,
		to_json(entry.id)::text,
		to_json(entry.type)::text,
		to_json(entry.amount_micro_usd::text)::text,
		to_json(entry.available_after_micro_usd::text)::text,
		to_json(entry.balance_after_micro_usd::text)::text,
		to_json(entry.generation_id)::text,
		to_json(entry.task)::text,
		to_json(entry.model)::text,
		to_json(entry.workflow_run_id)::text,
		to_json(entry.description)::text,
		to_json(entry.key_id)::text,
		to_json(entry.created_by)::text,
		to_json(to_char(entry.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text
	], ',', 'null') || ']', 'UTF8')), 'hex');
$$;
--> statement-breakpoint
-- NOT VALID skips entries that existed before the check: a wrong one must fail `admin verify`, not the start of the service.
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_sign" CHECK (CASE "type"
	WHEN 'TOP_UP' THEN "amount_micro_usd" > 0
	WHEN 'ADMIN_CREDIT' THEN "amount_micro_usd" > 0
	WHEN 'RESERVE' THEN "amount_micro_usd" < 0
	WHEN 'RELEASE' THEN "amount_micro_usd" > 0
	WHEN 'SETTLE' THEN "amount_micro_usd" < 0
	WHEN 'REFUND' THEN "amount_micro_usd" > 0
	WHEN 'ADJUSTMENT' THEN "amount_micro_usd" <> 0
	ELSE false END) NOT VALID;
--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_of_generation" CHECK (CASE
	WHEN "type" IN ('RESERVE', 'RELEASE', 'SETTLE', 'REFUND')
	THEN "generation_id" IS NOT NULL AND "task" IS NOT NULL AND "key_id" IS NOT NULL
	ELSE "generation_id" IS NULL AND "task" IS NULL AND "model" IS NULL AND "key_id" IS NULL END) NOT VALID;
--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_covered" CHECK (
	"available_after_micro_usd" >= 0 AND "balance_after_micro_usd" >= "available_after_micro_usd") NOT VALID;
--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_covered" CHECK (
	"available_micro_usd" >= 0 AND "reserved_micro_usd" >= 0 AND "last_seq" >= 0) NOT VALID;
--> statement-breakpoint
-- Assigns sequence number, time, balances and hash under the lock of the account, rejects entries that break a rule, and
-- updates the sums: account, budgets and days.
CREATE OR REPLACE FUNCTION "append_ledger_entry"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	account accounts%ROWTYPE;
	budget budgets%ROWTYPE;
	held bigint := 0;
	spent bigint := 0;
	earlier bigint;
	scopes text[];
	period date;
	budget_limit bigint;
BEGIN
	SELECT * INTO account FROM accounts WHERE organization_id = NEW.organization_id FOR UPDATE;
	IF NOT FOUND THEN
		INSERT INTO accounts (organization_id, available_micro_usd, reserved_micro_usd, spent_micro_usd, last_seq)
			VALUES (NEW.organization_id, 0, 0, 0, 0) ON CONFLICT DO NOTHING;
		SELECT * INTO account FROM accounts WHERE organization_id = NEW.organization_id FOR UPDATE;
	END IF;
	IF NEW.type IN ('RESERVE', 'RELEASE') THEN
		held := -NEW.amount_micro_usd;
	ELSIF NEW.type IN ('SETTLE', 'REFUND') THEN
		spent := -NEW.amount_micro_usd;
	END IF;
	NEW.seq := account.last_seq + 1;
	NEW.created_at := greatest(NEW.created_at, account.last_entry_at);
	NEW.available_after_micro_usd := account.available_micro_usd + NEW.amount_micro_usd;
	NEW.balance_after_micro_usd := NEW.available_after_micro_usd + account.reserved_micro_usd + held;

	IF NEW.available_after_micro_usd < 0 AND NEW.type IN ('RESERVE', 'ADJUSTMENT') THEN
		RAISE EXCEPTION 'More than is available.' USING ERRCODE = 'EM001',
			DETAIL = json_build_object('needed', (-NEW.amount_micro_usd)::text, 'available', account.available_micro_usd::text);
	END IF;
	IF NEW.type = 'RELEASE' THEN
		SELECT -amount_micro_usd INTO earlier FROM ledger_entries WHERE generation_id = NEW.generation_id
			AND type = 'RESERVE' AND organization_id = NEW.organization_id;
		IF earlier IS DISTINCT FROM NEW.amount_micro_usd THEN
			RAISE EXCEPTION 'A RELEASE gives back what its RESERVE took, and once.' USING ERRCODE = 'EM004';
		END IF;
	ELSIF NEW.type = 'SETTLE' THEN
		SELECT amount_micro_usd INTO earlier FROM ledger_entries WHERE generation_id = NEW.generation_id
			AND type = 'RELEASE' AND organization_id = NEW.organization_id;
		IF earlier IS NULL OR earlier < spent THEN
			RAISE EXCEPTION 'A SETTLE takes at most what its RELEASE gave back.' USING ERRCODE = 'EM004';
		END IF;
	ELSIF NEW.type = 'REFUND' THEN
		SELECT coalesce(-sum(amount_micro_usd), 0) INTO earlier FROM ledger_entries
			WHERE generation_id = NEW.generation_id AND type IN ('SETTLE', 'REFUND') AND organization_id = NEW.organization_id;
		IF earlier < NEW.amount_micro_usd THEN
			RAISE EXCEPTION 'A REFUND gives back at most what was charged.' USING ERRCODE = 'EM003',
				DETAIL = json_build_object('left', earlier::text);
		END IF;
	END IF;

	IF held <> 0 OR spent <> 0 THEN
		-- A budget counts what its scope names: the organization, a key, a person with all their keys, a model or a tag.
		SELECT ARRAY['organization', 'key:' || NEW.key_id, 'person:' || keys.person_id, 'model:' || NEW.model]
			|| ARRAY(SELECT 'tag:' || tags.key || '=' || tags.value FROM jsonb_each_text(orders.tags) AS tags)
			INTO scopes
			FROM generations AS orders LEFT JOIN api_keys AS keys ON keys.id = NEW.key_id
			WHERE orders.id = NEW.generation_id;
		FOR budget IN SELECT * FROM budgets WHERE organization_id = NEW.organization_id
			AND scope = ANY(scopes) ORDER BY id DESC FOR UPDATE
		LOOP
			period := date_trunc(budget."interval", NEW.created_at AT TIME ZONE 'UTC')::date;
			IF budget.interval_start < period THEN
				budget.interval_start := period;
				budget.spent_micro_usd := 0;
				budget.extra_micro_usd := 0;
			END IF;
			budget_limit := budget.limit_micro_usd + budget.extra_micro_usd;
			IF NEW.type = 'RESERVE'
				AND budget.spent_micro_usd + budget.reserved_micro_usd + held > budget_limit THEN
				RAISE EXCEPTION 'Above a budget.' USING ERRCODE = 'EM002', DETAIL = json_build_object(
					'id', budget.id,
					'scope', budget.scope,
					'scope_name', CASE split_part(budget.scope, ':', 1)
						WHEN 'key' THEN (SELECT name FROM api_keys WHERE id = NEW.key_id)
						WHEN 'person' THEN (SELECT name FROM people WHERE 'person:' || id = budget.scope) END,
					'interval', budget."interval",
					'interval_start', budget.interval_start,
					'needed', held::text,
					'limit', budget_limit::text,
					'left', greatest(budget_limit - budget.spent_micro_usd - budget.reserved_micro_usd, 0)::text,
					'contact', budget.contact);
			END IF;
			UPDATE budgets SET interval_start = budget.interval_start, extra_micro_usd = budget.extra_micro_usd,
				spent_micro_usd = budget.spent_micro_usd + spent, reserved_micro_usd = budget.reserved_micro_usd + held
				WHERE organization_id = budget.organization_id AND id = budget.id;
		END LOOP;
	END IF;
	INSERT INTO ledger_days AS days (organization_id, by_tags, type, date, key_id, task, model, tags, amount_micro_usd, count)
		SELECT NEW.organization_id, by_tags, NEW.type, (NEW.created_at AT TIME ZONE 'UTC')::date, coalesce(NEW.key_id, ''),
			coalesce(NEW.task, ''), coalesce(NEW.model, ''), tags, NEW.amount_micro_usd, 1
		FROM (VALUES (false, '{}'),
			(true, coalesce((SELECT tags FROM generations WHERE id = NEW.generation_id), '{}'))) AS labels (by_tags, tags)
		ON CONFLICT (organization_id, by_tags, type, date, key_id, task, model, tags) DO UPDATE
		SET amount_micro_usd = days.amount_micro_usd + excluded.amount_micro_usd, count = days.count + 1;

	NEW.hash := ledger_entry_hash(account.last_hash, NEW);
	UPDATE accounts SET available_micro_usd = NEW.available_after_micro_usd,
		reserved_micro_usd = account.reserved_micro_usd + held, spent_micro_usd = account.spent_micro_usd + spent,
		last_seq = NEW.seq, last_hash = NEW.hash, last_entry_at = NEW.created_at
		WHERE organization_id = NEW.organization_id;
	RETURN NEW;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER "ledger_entries_append" BEFORE INSERT ON "ledger_entries"
	FOR EACH ROW EXECUTE FUNCTION "append_ledger_entry"();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'The ledger is append-only: % of % is refused.', TG_OP, TG_TABLE_NAME USING ERRCODE = 'EM005';
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER "ledger_entries_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "ledger_entries"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
--> statement-breakpoint
-- Sums change only from within the trigger that appends entries.
CREATE OR REPLACE TRIGGER "accounts_follow_entries" BEFORE INSERT OR UPDATE ON "accounts"
	FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION "refuse_change"();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER "accounts_stay" BEFORE DELETE OR TRUNCATE ON "accounts"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER "ledger_days_follow_entries" BEFORE INSERT OR UPDATE ON "ledger_days"
	FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION "refuse_change"();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER "ledger_days_stay" BEFORE DELETE OR TRUNCATE ON "ledger_days"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
--> statement-breakpoint
-- ALWAYS: the trigger also fires in replication and in a restore that disables triggers.
ALTER TABLE "ledger_entries" ENABLE ALWAYS TRIGGER "ledger_entries_append_only";
--> statement-breakpoint
-- Lists the entries of each value of a tag, so that a filter reads nothing else.
CREATE OR REPLACE FUNCTION "index_ledger_entry_tags"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO ledger_tags (organization_id, name, value, type, seq)
		SELECT NEW.organization_id, tag.key, tag.value, NEW.type, NEW.seq
		FROM generations, jsonb_each_text(generations.tags) AS tag WHERE generations.id = NEW.generation_id;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER "ledger_entries_tags" AFTER INSERT ON "ledger_entries"
	FOR EACH ROW WHEN (NEW.generation_id IS NOT NULL) EXECUTE FUNCTION "index_ledger_entry_tags"();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER "ledger_tags_follow_entries" BEFORE INSERT OR UPDATE ON "ledger_tags"
	FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION "refuse_change"();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER "ledger_tags_stay" BEFORE DELETE OR TRUNCATE ON "ledger_tags"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
--> statement-breakpoint
-- Sums by tag stay true only while a generation keeps its tags.
CREATE OR REPLACE TRIGGER "generations_tags_stay" BEFORE UPDATE OF "tags" ON "generations"
	FOR EACH ROW WHEN (OLD.tags IS DISTINCT FROM NEW.tags) EXECUTE FUNCTION "refuse_change"();
--> statement-breakpoint
-- Hashes the canonical form of an event (docs/audit-log.md). audit/verify-events.ts computes the same in JavaScript.
CREATE OR REPLACE FUNCTION "audit_event_hash"("previous_hash" text, "event" "audit_events") RETURNS text LANGUAGE sql STABLE AS $$
	SELECT encode(sha256(convert_to('[' || array_to_string(ARRAY[
		to_json(previous_hash)::text,
		to_json(event.organization_id)::text,
		to_json(event.seq::text)::text,
		to_json(event.id)::text,
		to_json(event.action)::text,
		to_json(event.actor_type)::text,
		to_json(event.actor_id)::text,
		to_json(event.actor_name)::text,
		to_json(event.address)::text,
		to_json(event.target_type)::text,
		to_json(event.target_id)::text,
		to_json(event.target_name)::text,
		to_json(event.before::text)::text,
		to_json(event.after::text)::text,
		to_json(to_char(event.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text
	], ',', 'null') || ']', 'UTF8')), 'hex');
$$;
--> statement-breakpoint
-- Assigns sequence number, time and hash under the lock of the organization's head.
CREATE OR REPLACE FUNCTION "append_audit_event"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	head audit_heads%ROWTYPE;
BEGIN
	SELECT * INTO head FROM audit_heads WHERE organization_id = NEW.organization_id FOR UPDATE;
	IF NOT FOUND THEN
		INSERT INTO audit_heads (organization_id, last_seq, last_hash, last_event_at)
			VALUES (NEW.organization_id, 0, repeat('0', 64), NEW.created_at) ON CONFLICT DO NOTHING;
		SELECT * INTO head FROM audit_heads WHERE organization_id = NEW.organization_id FOR UPDATE;
	END IF;
	NEW.seq := head.last_seq + 1;
	NEW.created_at := greatest(NEW.created_at, head.last_event_at);
	NEW.hash := audit_event_hash(head.last_hash, NEW);
	UPDATE audit_heads SET last_seq = NEW.seq, last_hash = NEW.hash, last_event_at = NEW.created_at
		WHERE organization_id = NEW.organization_id;
	RETURN NEW;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER "audit_events_append" BEFORE INSERT ON "audit_events"
	FOR EACH ROW EXECUTE FUNCTION "append_audit_event"();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "refuse_audit_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'The audit log is append-only: % of % is refused.', TG_OP, TG_TABLE_NAME USING ERRCODE = 'EM005';
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER "audit_events_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_events"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_change"();
--> statement-breakpoint
-- The head changes only from within the trigger that appends events.
CREATE OR REPLACE TRIGGER "audit_heads_follow_events" BEFORE INSERT OR UPDATE ON "audit_heads"
	FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION "refuse_audit_change"();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER "audit_heads_stay" BEFORE DELETE OR TRUNCATE ON "audit_heads"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_change"();
--> statement-breakpoint
-- ALWAYS: the trigger also fires in replication and in a restore that disables triggers.
ALTER TABLE "audit_events" ENABLE ALWAYS TRIGGER "audit_events_append_only";
--> statement-breakpoint
-- Locks the key, so that its work is queued in order and nothing is queued after it is revoked, and returns the turn of
-- its next generation. Each statement reads what the transaction sees after it has the lock. The keys of an organization
-- share its turns: the more of them have work in the queue, the further apart are the turns that each gets.
-- Without sorts, a query that is ordered by key and turn reads one entry of the index on them. Statistics that are behind
-- the queue would lead to plans that read all of it.
CREATE OR REPLACE FUNCTION "next_turn"("of_key" text, "of_lane" text) RETURNS integer LANGUAGE plpgsql SET enable_sort = off AS $$
DECLARE
	revoked timestamptz;
	organization text;
	first_turn integer;
	last_of_key integer;
	colleagues integer;
BEGIN
	SELECT revoked_at, organization_id INTO revoked, organization FROM api_keys WHERE id = of_key FOR NO KEY UPDATE;
	IF revoked IS NOT NULL THEN
		RAISE EXCEPTION 'This key has been revoked.' USING ERRCODE = 'EM006';
	END IF;
	SELECT turn INTO first_turn FROM generations WHERE status = 'queued' AND lane = of_lane ORDER BY turn LIMIT 1;
	IF first_turn IS NULL THEN
		RETURN 0;
	END IF;
	-- A range of one key: with an equal key, another index would have this order.
	SELECT turn INTO last_of_key FROM generations
		WHERE status = 'queued' AND lane = of_lane AND created_by BETWEEN of_key AND of_key
		ORDER BY created_by DESC, turn DESC LIMIT 1;
	-- Bounded, because an organization may have any number of keys.
	SELECT count(*) INTO colleagues FROM (
		SELECT id FROM api_keys
		WHERE organization_id = organization AND revoked_at IS NULL AND id <> of_key LIMIT 200
	) AS keys
	WHERE (SELECT turn FROM generations
		WHERE status = 'queued' AND lane = of_lane AND created_by BETWEEN keys.id AND keys.id
		ORDER BY created_by, turn LIMIT 1) IS NOT NULL;
	RETURN greatest(first_turn, first_turn + colleagues - 1, last_of_key + 1 + colleagues, 0);
END $$;
--> statement-breakpoint
-- Inserts a generation with its words, tags and uses of media, and returns its turn. One call is one round trip, and its
-- statements are planned once per connection.
--   draft   columns of generations, without its turn
--   words   of its prompt and metadata, or null
--   uses    rows of media_uses, or null
CREATE OR REPLACE FUNCTION "insert_generation"("draft" jsonb, "words" tsvector, "uses" jsonb) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
	new generations%ROWTYPE := jsonb_populate_record(NULL::generations, draft);
BEGIN
	-- Lock the account, which its reservation needs, before the key. Otherwise a create that waits for the account keeps its
	-- key locked, and every further create of that key waits for it.
	IF new.amount_micro_usd > 0 THEN
		PERFORM FROM accounts WHERE organization_id = new.organization_id FOR UPDATE;
	END IF;
	new.turn := next_turn(new.created_by, new.lane);
	-- All columns: a migration that adds one sets it here for drafts of earlier versions, which lack it.
	INSERT INTO generations SELECT new.*;
	IF words IS NOT NULL THEN
		INSERT INTO generation_words (generation_id, words) VALUES (new.id, insert_generation.words);
	END IF;
	IF uses IS NOT NULL THEN
		INSERT INTO media_uses (generation_id, field, organization_id, media_id, media_type)
			SELECT new.id, used.field, new.organization_id, used.media_id, used.media_type
			FROM jsonb_populate_recordset(NULL::media_uses, uses) AS used;
	END IF;
	IF new.tags <> '{}' THEN
		INSERT INTO generation_tags (organization_id, name, value, generation_id)
			SELECT new.organization_id, tag.key, tag.value, new.id FROM jsonb_each_text(new.tags) AS tag;
		-- For suggestions, to the hour.
		INSERT INTO tag_values (organization_id, name, value, created_by, last_used_at)
			SELECT new.organization_id, tag.key, tag.value, new.created_by, new.created_at
			FROM jsonb_each_text(new.tags) AS tag
			ON CONFLICT (organization_id, name, created_by, value) DO UPDATE SET last_used_at = excluded.last_used_at
			WHERE tag_values.last_used_at < excluded.last_used_at - interval '1 hour';
	END IF;
	RETURN new.turn;
END $$;
--> statement-breakpoint
-- Hashes the canonical form of an entry (docs/closing.md). closing-chain.ts computes the same in JavaScript.
CREATE OR REPLACE FUNCTION "closing_entry_hash"("previous_hash" text, "entry" "closing_entries") RETURNS text LANGUAGE sql STABLE AS $$
	SELECT encode(sha256(convert_to('[' || array_to_string(ARRAY[
		to_json(previous_hash)::text,
		to_json(entry.organization_id)::text,
		to_json(entry.seq::text)::text,
		to_json(entry.id)::text,
		to_json(entry.type)::text,
		to_json(entry.month)::text,
		to_json(entry.provider_id)::text,
		to_json(entry.body)::text,
		to_json(entry.created_by)::text,
		to_json(to_char(entry.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text
	], ',', 'null') || ']', 'UTF8')), 'hex');
$$;
--> statement-breakpoint
-- Assigns sequence number, time and hash under the lock of the organization's head.
CREATE OR REPLACE FUNCTION "append_closing_entry"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	head closing_heads%ROWTYPE;
BEGIN
	SELECT * INTO head FROM closing_heads WHERE organization_id = NEW.organization_id FOR UPDATE;
	IF NOT FOUND THEN
		INSERT INTO closing_heads (organization_id, last_seq, last_hash, last_entry_at)
			VALUES (NEW.organization_id, 0, repeat('0', 64), NEW.created_at) ON CONFLICT DO NOTHING;
		SELECT * INTO head FROM closing_heads WHERE organization_id = NEW.organization_id FOR UPDATE;
	END IF;
	NEW.seq := head.last_seq + 1;
	NEW.created_at := greatest(NEW.created_at, head.last_entry_at);
	NEW.hash := closing_entry_hash(head.last_hash, NEW);
	UPDATE closing_heads SET last_seq = NEW.seq, last_hash = NEW.hash, last_entry_at = NEW.created_at
		WHERE organization_id = NEW.organization_id;
	RETURN NEW;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER "closing_entries_append" BEFORE INSERT ON "closing_entries"
	FOR EACH ROW EXECUTE FUNCTION "append_closing_entry"();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "refuse_closing_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'Closings are append-only: % of % is refused.', TG_OP, TG_TABLE_NAME USING ERRCODE = 'EM005';
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER "closing_entries_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "closing_entries"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_closing_change"();
--> statement-breakpoint
-- The head changes only from within the trigger that appends entries.
CREATE OR REPLACE TRIGGER "closing_heads_follow_entries" BEFORE INSERT OR UPDATE ON "closing_heads"
	FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION "refuse_closing_change"();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER "closing_heads_stay" BEFORE DELETE OR TRUNCATE ON "closing_heads"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_closing_change"();
--> statement-breakpoint
-- An entry has the SHA-256 of its corrections, so they are inserted before it and none after.
CREATE OR REPLACE FUNCTION "refuse_late_correction"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF EXISTS (SELECT FROM closing_entries WHERE id = NEW.entry_id) THEN
		RAISE EXCEPTION 'Closings are append-only: entry % has all of its corrections.', NEW.entry_id USING ERRCODE = 'EM005';
	END IF;
	RETURN NEW;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER "closing_corrections_append" BEFORE INSERT ON "closing_corrections"
	FOR EACH ROW EXECUTE FUNCTION "refuse_late_correction"();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER "closing_corrections_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "closing_corrections"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_closing_change"();
--> statement-breakpoint
-- ALWAYS: the triggers also fire in replication and in a restore that disables triggers.
ALTER TABLE "closing_entries" ENABLE ALWAYS TRIGGER "closing_entries_append_only";
--> statement-breakpoint
ALTER TABLE "closing_corrections" ENABLE ALWAYS TRIGGER "closing_corrections_append_only";
