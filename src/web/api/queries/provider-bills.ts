import type { BodyInput, QueryOf } from '#contract/api/endpoints.ts';
import { omitUndefined } from '#web/ui/search-params.ts';
import { api } from '../api.ts';
import { apiMutation, apiPages, apiQuery } from '../api-query.ts';
import { CLOSING_READS } from './closing.ts';

/** Sending 200 MB, and reading a million lines. */
const FILE_DEADLINE_MS = 600_000;

/** The newest bills of a provider in a month. */
export const billsQuery = (month: string, provider_id: string) =>
  apiQuery('list_provider_bills', { query: { month, provider_id, limit: 50 } }, { read: ({ data }) => data });

export const billQuery = (bill_id: string) => apiQuery('get_provider_bill', { params: { bill_id } });

export const billLinesQuery = (bill_id: string, from_row?: number) =>
  apiPages('list_provider_bill_lines', { params: { bill_id }, query: omitUndefined({ limit: 100, from_row }) });

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
  stale: CLOSING_READS,
});

export const useDeleteBill = apiMutation(
  (bill_id: string) => api.call('delete_provider_bill', { params: { bill_id } }),
  { stale: CLOSING_READS },
);

/** Providers whose bills are read, and when that of the month was. */
export const billReadingsQuery = (month: string) =>
  apiQuery('list_bill_readings', { query: { month } }, { read: ({ data }) => data });

export const useReadBill = apiMutation(
  (body: BodyInput<'read_provider_bill'>) => api.call('read_provider_bill', { body, deadlineMs: FILE_DEADLINE_MS }),
  { stale: CLOSING_READS, retry: false },
);
