import { api } from '../api.ts';
import { apiMutation, apiPages, apiQuery, type EndpointFilters } from '../api-query.ts';

const POLL_MS = 60_000;
/** More than this many open alerts are counted as “10+”. */
const OPEN_LIMIT = 10;

export type AlertFilters = EndpointFilters<'list_alerts'>;

/** The newest open alerts. */
export const openAlertsQuery = apiQuery(
  'list_alerts',
  { query: { status: 'open', limit: OPEN_LIMIT } },
  { poll: POLL_MS },
);

/** Alerts, newest first. */
export const alertsQuery = (filters: AlertFilters) =>
  apiPages('list_alerts', { query: { ...filters, limit: 50 } }, { keepPrevious: true, staleTime: 0, poll: POLL_MS });

export const useAcknowledgeAlert = apiMutation(
  (id: string) => api.call('acknowledge_alert', { params: { alert_id: id } }),
  { stale: ['list_alerts'] },
);
