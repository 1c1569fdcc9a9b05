import type { DeliveryStatus } from '#contract/resources/webhook.ts';

// The contract's list would add its schemas to the first script.
const isStatus = (value: unknown): value is DeliveryStatus =>
  typeof value === 'string' &&
  Object.hasOwn({ pending: 1, succeeded: 1, failed: 1 } satisfies Record<DeliveryStatus, 1>, value);

/** The status filter in the URL. */
interface DeliverySearch {
  deliveries?: DeliveryStatus;
}

/** Parses the status filter. Drops a value that is not valid. */
export function parseDeliverySearch(raw: Record<string, unknown>): DeliverySearch {
  return isStatus(raw['deliveries']) ? { deliveries: raw['deliveries'] } : {};
}

/** The delivery in the URL that a signature is compared with. */
interface SignatureCheckSearch {
  delivery?: string;
}

/** Parses the delivery's ID. Drops a value that is not valid. */
export function parseSignatureCheckSearch(raw: Record<string, unknown>): SignatureCheckSearch {
  const delivery = raw['delivery'];
  return typeof delivery === 'string' && /^[\w-]{1,64}$/.test(delivery) ? { delivery } : {};
}
