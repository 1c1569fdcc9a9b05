import { formatCsvRecord } from '#server/platform/core/csv.ts';
import type { Deps } from '#server/platform/deps.ts';
import { type AuditFilter, auditFilterCondition } from './list-events.ts';
import { type AuditRow, findAuditHead, readAuditEvents } from './read-events.ts';

const COLUMNS = {
  seq: ({ seq }) => seq,
  id: ({ id }) => id,
  created_at: ({ created_at }) => created_at.toISOString(),
  action: ({ action }) => action,
  actor_type: ({ actor_type }) => actor_type,
  actor_id: ({ actor_id }) => actor_id,
  actor_name: ({ actor_name }) => actor_name,
  address: ({ address }) => address,
  target_type: ({ target_type }) => target_type,
  target_id: ({ target_id }) => target_id,
  target_name: ({ target_name }) => target_name,
  before: ({ before_text }) => before_text,
  after: ({ after_text }) => after_text,
  hash: ({ hash }) => hash,
} as const satisfies Record<string, (event: AuditRow) => string | bigint | null>;

/** Streams the events of a filter, oldest first, as CSV records, many per string. */
export async function* exportAuditEvents(
  deps: Deps,
  organizationId: string,
  filter: AuditFilter,
): AsyncGenerator<string> {
  yield formatCsvRecord(Object.keys(COLUMNS));
  const head = await findAuditHead(deps, organizationId);
  const condition = auditFilterCondition(organizationId, filter);
  for await (const rows of readAuditEvents(deps.db, organizationId, { after: 0n, last: head?.seq ?? 0n, condition })) {
    yield rows.map((row) => formatCsvRecord(Object.values(COLUMNS).map((column) => column(row)))).join('');
  }
}
