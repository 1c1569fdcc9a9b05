import type { BodyInput, QueryOf } from '#contract/api/endpoints.ts';
import { api } from '../api.ts';
import { apiMutation, apiPages, apiQuery, type StaleTarget } from '../api-query.ts';

const BILL_READS = ['get_close', 'list_provider_bills', 'list_bill_readings'] as const satisfies readonly StaleTarget[];
/** Sending 200 MB, and reading a million lines. */
const FILE_DEADLINE_MS = 600_000;

/** Our costs of a month beside the bills of providers. */
export const closeQuery = (month: string) =>
  apiQuery('get_close', { query: { month } }, { staleTime: 5_000, keepPrevious: true });

export const billsQuery = (month: string) => apiPages('list_provider_bills', { query: { month, limit: 50 } });

export const billQuery = (bill_id: string) => apiQuery('get_provider_bill', { params: { bill_id } });

export const billLinesQuery = (bill_id: string) =>
  apiPages('list_provider_bill_lines', { params: { bill_id }, query: { limit: 100 } });

export interface BillUpload {
  file: File;
  query: Omit<QueryOf<'create_provider_bill'>, 'filename'>;
}

const toRequest = ({ file, query }: BillUpload) => ({
  file,
  query: { ...query, filename: file.name },
  deadlineMs: FILE_DEADLINE_MS,
});

/** Reads a file without storing it. */
export const previewBill = (upload: BillUpload, signal: AbortSignal) =>
  api.call('preview_provider_bill', { ...toRequest(upload), signal });

export const useAddBill = apiMutation((upload: BillUpload) => api.call('create_provider_bill', toRequest(upload)), {
  stale: BILL_READS,
});

export const useDeleteBill = apiMutation(
  (bill_id: string) => api.call('delete_provider_bill', { params: { bill_id } }),
  { stale: BILL_READS },
);

/** Providers whose bills are read, and when that of the month was. */
export const billReadingsQuery = (month: string) =>
  apiQuery('list_bill_readings', { query: { month } }, { read: ({ data }) => data });

export const useReadBill = apiMutation(
  (body: BodyInput<'read_provider_bill'>) => api.call('read_provider_bill', { body, deadlineMs: FILE_DEADLINE_MS }),
  { stale: BILL_READS, retry: false },
);
