DROP INDEX "generations_list";--> statement-breakpoint
DROP INDEX "generations_status";--> statement-breakpoint
DROP INDEX "generations_chain";--> statement-breakpoint
DROP INDEX "ledger_entries_seq";--> statement-breakpoint
DROP INDEX "uploads_list";--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD COLUMN "task" text;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD COLUMN "model" text;--> statement-breakpoint
CREATE INDEX "generations_list" ON "generations" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "generations_status" ON "generations" USING btree ("organization_id","status","id");--> statement-breakpoint
CREATE INDEX "generations_chain" ON "generations" USING btree ("chain_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entries_seq" ON "ledger_entries" USING btree ("organization_id","seq");--> statement-breakpoint
CREATE INDEX "uploads_list" ON "uploads" USING btree ("organization_id","id");