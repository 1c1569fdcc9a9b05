import { DELIVERY_STATUSES, type DeliveryStatus } from '#contract/resources/webhook.ts';

/** Which deliveries are shown, as it stands in the address. */
export interface DeliverySearch {
  deliveries?: DeliveryStatus;
}

/** Reads the address's search part; what is not understood is left out rather than refused. */
export function parseDeliverySearch(raw: Record<string, unknown>): DeliverySearch {
  const deliveries = DELIVERY_STATUSES.find((each) => each === raw['deliveries']);
  return deliveries ? { deliveries } : {};
}

/** The delivery that a signature is compared with. */
export interface CheckSearch {
  delivery?: string;
}

/** As above. */
export function parseCheckSearch(raw: Record<string, unknown>): CheckSearch {
  const delivery = raw['delivery'];
  return typeof delivery === 'string' && /^[\w-]{1,64}$/.test(delivery) ? { delivery } : {};
}
