import { DELIVERY_STATUSES, type DeliveryStatus } from '#contract/statuses.ts';
import { omitUndefined, parseId, parseOption } from '#web/ui/search-params.ts';

interface DeliverySearch {
  deliveries?: DeliveryStatus;
}

export function parseDeliverySearch(raw: Record<string, unknown>): DeliverySearch {
  return omitUndefined({ deliveries: parseOption(DELIVERY_STATUSES, raw['deliveries']) });
}

interface SignatureCheckSearch {
  delivery?: string;
}

export function parseSignatureCheckSearch(raw: Record<string, unknown>): SignatureCheckSearch {
  return omitUndefined({ delivery: parseId(raw['delivery']) });
}
