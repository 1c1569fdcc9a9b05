import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { AuditGroup } from '#contract/audit-actions.ts';
import type { AuditEvent } from '#contract/resources/audit-event.ts';
import { api } from '../api.ts';
import { apiPages, type EndpointFilters, invalidate } from '../api-query.ts';
import { useCan } from './permissions.ts';

export type AuditEventFilters = EndpointFilters<'list_audit_events'>;

/** Who changed what, newest first. */
export const auditEventsQuery = (filters: AuditEventFilters) =>
  apiPages('list_audit_events', { query: { ...filters, limit: 50 } }, { keepPrevious: true, staleTime: 0 });

/** Limit of the service per request. */
const MAX_TARGETS = 100;

/**
 * The newest change of each object of a list, by its id, with one request per hundred objects. Empty for those who may
 * not read the audit log.
 * @param action what the objects are
 */
export function useLatestChanges(action: AuditGroup, ids: readonly string[]): ReadonlyMap<string, AuditEvent> {
  const client = useQueryClient();
  const enabled = useCan('audit.read') && ids.length > 0;
  const { data } = useQuery({
    queryKey: ['list_latest_changes', { action, ids }],
    queryFn: async ({ signal }) => {
      const events: AuditEvent[] = [];
      for (let at = 0; at < ids.length; at += MAX_TARGETS) {
        const query = { action, target_ids: ids.slice(at, at + MAX_TARGETS).join() };
        events.push(...(await api.call('list_latest_changes', { query, signal })).data);
      }
      return new Map(events.map((event) => [event.target.id ?? '', event]));
    },
    enabled,
    placeholderData: keepPreviousData,
    structuralSharing: false,
  });
  useEffect(
    () =>
      client.getMutationCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'success') void invalidate(client, 'list_latest_changes');
      }),
    [client],
  );
  return enabled && data ? data : NO_CHANGES;
}

const NO_CHANGES: ReadonlyMap<string, AuditEvent> = new Map();
