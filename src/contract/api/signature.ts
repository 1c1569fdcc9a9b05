/** Spec: Signature */
export const SIGNATURE_HEADER = 'Service-Signature';
/** Spec: Delivery */
export const EVENT_ID_HEADER = 'Service-Event-ID';
/** Spec: Limits */
export const SIGNATURE_TOLERANCE_SECONDS = 300;

type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();
const encodeText = (text: string): Bytes => encoder.encode(text);

/**
 * Returns the value of `Service-Signature`: `t=<seconds>,v1=<hex>`, with one `v1` per secret. Spec: Signature
 * @param options.secrets complete `whsec_…` texts, at least one
 * @param options.body exactly as sent
 */
export async function signWebhook(options: { secrets: readonly string[]; body: string; at: Date }): Promise<string> {
  const seconds = String(Math.floor(options.at.getTime() / 1000));
  const message = buildSignedMessage(seconds, encodeText(options.body));
  const signatures = await Promise.all(
    options.secrets.map(async (secret) =>
      toHex(await crypto.subtle.sign('HMAC', await importHmacKey(secret), message)),
    ),
  );
  return [`t=${seconds}`, ...signatures.map((hex) => `v1=${hex}`)].join(',');
}

export interface WebhookVerification {
  /** null: genuine. `header`: unreadable. `clock` is reported only if the signature matches. */
  problem: null | 'header' | 'signature' | 'clock';
  /** Time since signing, negative for a time in the future; null if the header is unreadable. */
  age_seconds: number | null;
  /** Independent of the clock; null if the header is unreadable. */
  signature_matches: boolean | null;
}

/**
 * Verifies the signature of a delivery in constant time. Spec: Signature
 * @param options.secret complete `whsec_…` text
 * @param options.header value of `Service-Signature`
 * @param options.body raw, before it is parsed
 */
export async function verifyWebhook(options: {
  secret: string;
  header: string;
  body: string | Bytes;
  now?: Date;
  tolerance_seconds?: number;
}): Promise<WebhookVerification> {
  const { now = new Date(), tolerance_seconds = SIGNATURE_TOLERANCE_SECONDS } = options;
  const parts = parseSignatureHeader(options.header);
  if (!parts || options.secret === '') return { problem: 'header', age_seconds: null, signature_matches: null };
  const body = typeof options.body === 'string' ? encodeText(options.body) : options.body;
  const message = buildSignedMessage(parts.seconds, body);
  const key = await importHmacKey(options.secret);
  const matches = await Promise.all(parts.signatures.map((bytes) => crypto.subtle.verify('HMAC', key, bytes, message)));
  const signatureMatches = matches.includes(true);
  const ageSeconds = Math.floor(now.getTime() / 1000) - Number(parts.seconds);
  const isFresh = Math.abs(ageSeconds) <= tolerance_seconds;
  return {
    problem: signatureMatches ? (isFresh ? null : 'clock') : 'signature',
    age_seconds: ageSeconds,
    signature_matches: signatureMatches,
  };
}

/**
 * Returns null unless there is exactly one time and at least one signature. Unknown keys are ignored for future
 * versions.
 */
function parseSignatureHeader(header: string): { seconds: string; signatures: Bytes[] } | null {
  const pairs = header.split(',').map((pair) => pair.trim().split('='));
  const valuesOf = (name: string) => pairs.filter(([key]) => key === name).map(([, ...value]) => value.join('='));
  const [seconds, ...more] = valuesOf('t');
  const signatures = valuesOf('v1').flatMap((hex) => (/^[0-9a-f]{64}$/i.test(hex) ? [fromHex(hex)] : []));
  if (seconds === undefined || more.length > 0 || !/^\d{1,12}$/.test(seconds) || signatures.length === 0) return null;
  return { seconds, signatures };
}

function buildSignedMessage(seconds: string, body: Bytes): Bytes {
  const head = encodeText(`${seconds}.`);
  const message = new Uint8Array(head.length + body.length);
  message.set(head);
  message.set(body, head.length);
  return message;
}

const importHmacKey = (secret: string): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', encodeText(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);

const toHex = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

const fromHex = (hex: string): Bytes => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
