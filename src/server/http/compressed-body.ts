import type { IncomingMessage } from 'node:http';
import type { EndpointSpec } from '#contract/api/endpoint.ts';
import { hasBody, unreadableRequestError } from './errors.ts';

export const COMPRESSED_BODY_MESSAGE = 'Send the body without compression.';

/** Bodies are read as they are: decompressing them would need limits of its own. */
export const isCompressed = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  hasBody({ headers }) &&
  (headers['content-encoding'] ?? '')
    .split(',')
    .some((coding) => !['', 'identity'].includes(coding.trim().toLowerCase()));

/** To be called before the body is read. @throws {ApiError} with the code that the endpoint lists */
export function assertUncompressed(incoming: Pick<IncomingMessage, 'headers'>, spec: EndpointSpec): void {
  if (isCompressed(incoming)) throw unreadableRequestError(spec, COMPRESSED_BODY_MESSAGE);
}
