import type { DeliveryStatus } from '#contract/resources/webhook.ts';

// Not the contract's list: that would bring its schemas into the first script.
const isStatus = (value: unknown): value is DeliveryStatus =>
  typeof value === 'string' &&
  Object.hasOwn({ pending: 1, succeeded: 1, failed: 1 } satisfies Record<DeliveryStatus, 1>, value);

/** Which deliveries are shown, as it stands in the address. */
export interface DeliverySearch {
  deliveries?: DeliveryStatus;
}

/** Reads the address's search part; what is not understood is left out rather than refused. */
export function parseDeliverySearch(raw: Record<string, unknown>): DeliverySearch {
  return isStatus(raw['deliveries']) ? { deliveries: raw['deliveries'] } : {};
}

/** The delivery that a signature is compared with. */
export interface SignatureCheckSearch {
  delivery?: string;
}

/** As above. */
export function parseSignatureCheckSearch(raw: Record<string, unknown>): SignatureCheckSearch {
  const delivery = raw['delivery'];
  return typeof delivery === 'string' && /^[\w-]{1,64}$/.test(delivery) ? { delivery } : {};
}
