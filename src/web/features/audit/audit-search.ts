import type { AuditEventFilters } from '#web/api/queries/audit-events.ts';
import { startOfLocalDay } from '#web/ui/days.ts';
import { omitUndefined, parseDay, parseId, parsePattern } from '#web/ui/search-params.ts';

export interface AuditSearch {
  /** A group of actions, such as `key`. */
  about?: string | undefined;
  actor?: string | undefined;
  target?: string | undefined;
  /** Days, both inclusive. */
  from?: string | undefined;
  to?: string | undefined;
}

export const parseAuditSearch = ({ about, actor, target, from, to }: Record<string, unknown>): AuditSearch =>
  omitUndefined({
    about: parsePattern(/^[a-z_]{1,40}$/, about),
    actor: parseId(actor),
    target: parseId(target),
    from: parseDay(from),
    to: parseDay(to),
  });

/** Converts the search parameters to query parameters of `list_audit_events`. */
export const toAuditFilters = ({ about, actor, target, from, to }: AuditSearch): AuditEventFilters =>
  omitUndefined({
    action: about as AuditEventFilters['action'],
    actor_id: actor,
    target_id: target,
    from: startOfLocalDay(from)?.toISOString(),
    to: startOfLocalDay(to, 1)?.toISOString(),
  });
