import type { AuditEvent } from '#contract/resources/audit-event.ts';

/** An event with the equal ones right before it, newest first. */
export interface AuditRow extends AuditEvent {
  repeats: readonly AuditEvent[];
}

const keyOf = ({ action, actor, address, target, after }: AuditEvent): string =>
  JSON.stringify([action, actor, address, target, after]);

/** Puts equal exports in a row, such as pages that a script reads, into one. Other events stay apart. */
export function groupExports(events: readonly AuditEvent[]): AuditRow[] {
  const rows: AuditRow[] = [];
  for (const event of events) {
    const last = rows.at(-1);
    if (last && event.action === 'export.created' && keyOf(last) === keyOf(event))
      rows[rows.length - 1] = { ...last, repeats: [...last.repeats, event] };
    else rows.push({ ...event, repeats: [] });
  }
  return rows;
}
