import { sql } from 'drizzle-orm';
import type { EndpointSpec } from '#contract/api/endpoint.ts';
import { type EndpointName, endpoints } from '#contract/api/endpoints.ts';
import type { Db } from '#server/platform/db/db.ts';
import { readRows } from '#server/platform/db/rows/list-tables.ts';

/** Where the ids in the paths of requests come from. */
const SOURCES: Readonly<Record<string, string>> = {
  generation_id: 'select generation_id from reviews order by 1 limit 1',
  batch_id: 'select id from batches limit 1',
  upload_id: 'select id from uploads limit 1',
  media_id: 'select id from assets order by id limit 1',
  collection_id: 'select id from collections limit 1',
  share_id: 'select id from shares limit 1',
  entry_id: 'select id from ledger_entries order by seq limit 1',
  tag_name: 'select name from tags limit 1',
  request_id: 'select id from requests limit 1',
  preset_id: 'select id from presets limit 1',
  endpoint_id: 'select id from webhook_endpoints limit 1',
  delivery_id: 'select id from webhook_deliveries limit 1',
  workflow_run_id: 'select id from workflow_runs limit 1',
  slug: 'select slug from workflow_starters limit 1',
  model_id: 'select id from added_models limit 1',
  provider_id: 'select id from provider_connections limit 1',
  bill_id: 'select id from provider_bills limit 1',
  finding_id: 'select id from closing_findings limit 1',
  month: `select to_char(min(created_at), 'YYYY-MM') from ledger_entries`,
};

/** Reads that need more than rows, with the reason. */
const EXCEPTIONS: Partial<Record<EndpointName, string>> = {
  start_oidc_sign_in: 'needs an identity provider',
  finish_oidc_sign_in: 'needs an identity provider',
  get_logo: 'needs the file',
  get_media_credentials: 'needs the file',
  download_provider_bill: 'needs the file',
  estimate_request: 'needs a request for an order',
  compare_added_model: 'asks the provider',
};

/** Queries that an endpoint requires; `{month}` is filled in like a path. */
const QUERIES: Partial<Record<EndpointName, string>> = {
  get_pivot: 'rows=model',
  export_pivot: 'rows=model',
  get_spending: 'by=model',
  get_margin: 'group_by=model',
  export_margin: 'group_by=model',
  list_latest_changes: 'action=key&target_ids=key_1',
  export_audit_pack: 'from={month}&to={month}',
  export_focus: 'period={month}&view=charges',
  get_close: 'month={month}',
  list_bill_readings: 'month={month}',
  list_closing_findings: 'month={month}',
};

/** Returns an id of each kind. */
export async function readSample(db: Db): Promise<Record<string, string>> {
  const entries = Object.entries(SOURCES).map(async ([name, query]) => {
    const [row] = await readRows<{ id: string }>(db, sql.raw(`select (${query}) as id`));
    return [name, row?.id ?? ''] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Returns the address of every request that reads, which together are all that pages show. */
export function listReads(sample: Readonly<Record<string, string>>): { name: EndpointName; url: string }[] {
  const specs: Readonly<Record<string, EndpointSpec>> = endpoints;
  const fill = (text: string) => text.replaceAll(/\{(\w+)\}/g, (_, name: string) => sample[name] ?? name);
  return (Object.keys(endpoints) as EndpointName[]).flatMap((name) => {
    const spec = specs[name];
    if (spec?.method !== 'GET' || EXCEPTIONS[name] !== undefined) return [];
    return [{ name, url: fill(`${spec.path}?${QUERIES[name] ?? ''}`) }];
  });
}
