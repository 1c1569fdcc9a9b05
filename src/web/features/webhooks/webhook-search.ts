import { DELIVERY_STATUSES, type DeliveryStatus } from '#contract/statuses.ts';
import { choiceRow, parseSearch, type SearchOf } from '#web/collections/filter-rows.ts';
import { omitUndefined, parseId, parseOption } from '#web/ui/search-params.ts';

const LABELS = {
  pending: 'Pending or retrying',
  succeeded: 'Delivered',
  failed: 'Failed',
} satisfies Record<DeliveryStatus, string>;
const STATUS_OPTIONS = DELIVERY_STATUSES.map((value) => ({ value, label: LABELS[value] }));

export const DELIVERY_FILTERS = {
  deliveries: choiceRow({
    query: 'status',
    label: 'Status',
    all: 'All',
    parse: (raw) => parseOption(DELIVERY_STATUSES, raw),
    useOptions: () => STATUS_OPTIONS,
    place: 'segments',
  }),
};

export type DeliverySearch = SearchOf<typeof DELIVERY_FILTERS>;

export const parseDeliverySearch = (raw: Record<string, unknown>): DeliverySearch => parseSearch(DELIVERY_FILTERS, raw);

export interface SignatureCheckSearch {
  delivery?: string;
}

export function parseSignatureCheckSearch(raw: Record<string, unknown>): SignatureCheckSearch {
  return omitUndefined({ delivery: parseId(raw['delivery']) });
}
