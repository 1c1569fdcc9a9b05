import type { DeliveryStatus } from '#contract/resources/webhook.ts';

// The contract's list would add its schemas to the first script.
const isStatus = (value: unknown): value is DeliveryStatus =>
  typeof value === 'string' &&
  Object.hasOwn({ pending: 1, succeeded: 1, failed: 1 } satisfies Record<DeliveryStatus, 1>, value);

interface DeliverySearch {
  deliveries?: DeliveryStatus;
}

export function parseDeliverySearch(raw: Record<string, unknown>): DeliverySearch {
  return isStatus(raw['deliveries']) ? { deliveries: raw['deliveries'] } : {};
}

interface SignatureCheckSearch {
  delivery?: string;
}

export function parseSignatureCheckSearch(raw: Record<string, unknown>): SignatureCheckSearch {
  const delivery = raw['delivery'];
  return typeof delivery === 'string' && /^[\w-]{1,64}$/.test(delivery) ? { delivery } : {};
}
