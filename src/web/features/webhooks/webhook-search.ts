import type { DeliveryStatus } from '#contract/resources/webhook.ts';
import { omitUndefined, parseId, parseKey } from '#web/ui/search-params.ts';

// Not the contract's list: that would bring its schemas into the first script.
const DELIVERY_STATUSES = { pending: 1, succeeded: 1, failed: 1 } satisfies Record<DeliveryStatus, 1>;

interface DeliverySearch {
  deliveries?: DeliveryStatus;
}

export function parseDeliverySearch(raw: Record<string, unknown>): DeliverySearch {
  return omitUndefined({ deliveries: parseKey(DELIVERY_STATUSES, raw['deliveries']) });
}

interface SignatureCheckSearch {
  delivery?: string;
}

export function parseSignatureCheckSearch(raw: Record<string, unknown>): SignatureCheckSearch {
  return omitUndefined({ delivery: parseId(raw['delivery']) });
}
