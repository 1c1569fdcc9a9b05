import type { RemoteService } from '#server/net/remote-service.ts';
import { createUpstreamHttp, type UpstreamHttp } from '../upstream-http.ts';
import { mapModelArkError } from './modelark-errors.ts';

export interface ModelArkAccount {
  /** `https://ark.ap-southeast.bytepluses.com/api/v3`, or a server with the same paths. */
  service: RemoteService;
  api_key: string | null;
}

export const createModelArkHttp = ({ service, api_key }: ModelArkAccount): UpstreamHttp =>
  createUpstreamHttp({ service, api_key, mapError: mapModelArkError });
