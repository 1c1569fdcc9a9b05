import { createHash, randomBytes } from 'node:crypto';
import { id_signedData, SignedData } from '@peculiar/asn1-cms';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  MessageImprint,
  PKIStatus,
  TimeStampReq,
  TimeStampReqVersion,
  TimeStampResp,
  TSTInfo,
} from '@peculiar/asn1-tsp';
import type { Fetcher } from '#server/platform/net/fetcher.ts';

const SHA256 = '2.16.840.1.101.3.4.2.1';
const TIMEOUT_MS = 5_000;

interface TimeStampRequest {
  url: string;
  content: Uint8Array;
  maxBytes: number;
  signal: AbortSignal | undefined;
}

/**
 * Requests a time stamp, RFC 3161. Readers check its signature; here only whether it is for the content.
 * @returns DER of the `TimeStampToken` @throws {OutboundError}; {Error} for a response without a time stamp
 */
export async function requestTimeStamp(fetcher: Fetcher, request: TimeStampRequest): Promise<Uint8Array> {
  const url = new URL(request.url);
  const hash = createHash('sha256').update(request.content).digest();
  // The first bit is not set, as the number is positive, and the second is, so that none is left out.
  const nonce = randomBytes(16);
  nonce.writeUInt8((nonce.readUInt8(0) & 0x3f) | 0x40);
  const response = await fetcher.createService(url.origin).fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
    body: encodeRequest(hash, nonce),
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: request.maxBytes,
    ...(request.signal && { signal: request.signal }),
  });
  const body = await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`The time stamp authority responded with status ${response.status}.`);
  return readToken(body, hash, nonce);
}

function encodeRequest(hash: Uint8Array, nonce: Uint8Array): ArrayBuffer {
  const messageImprint = new MessageImprint({ hashedMessage: new OctetString(hash) });
  messageImprint.hashAlgorithm.algorithm = SHA256;
  const version = TimeStampReqVersion.v1;
  return AsnConvert.serialize(
    new TimeStampReq({ version, messageImprint, nonce: Uint8Array.from(nonce).buffer, certReq: true }),
  );
}

function readToken(response: ArrayBuffer, hash: Buffer, nonce: Buffer): Uint8Array {
  const { status, timeStampToken } = AsnConvert.parse(response, TimeStampResp);
  const isGranted = status.status === PKIStatus.granted || status.status === PKIStatus.grantedWithMods;
  if (!isGranted || !timeStampToken) throw new Error(`The time stamp authority refused: status ${status.status}.`);
  const isSigned = timeStampToken.contentType === id_signedData;
  const signed = isSigned ? AsnConvert.parse(timeStampToken.content, SignedData) : null;
  const content = signed?.encapContentInfo.eContent?.single;
  const info = content && AsnConvert.parse(content.buffer, TSTInfo);
  const isOurs = info && hash.equals(Buffer.from(info.messageImprint.hashedMessage.buffer));
  if (!isOurs || !info.nonce || !nonce.equals(Buffer.from(info.nonce)))
    throw new Error('The time stamp is for something else.');
  return new Uint8Array(AsnConvert.serialize(timeStampToken));
}
