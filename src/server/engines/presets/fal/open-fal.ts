import type { RemoteService } from '#server/net/remote-service.ts';
import type { PresetConnection } from '../preset.ts';

export interface FalServers {
  queue: RemoteService;
  platform: RemoteService;
  storage_url: string;
}

/**
 * Opens fal's hosts: queue.fal.run, api.fal.ai/v1 and rest.fal.ai. With an address of the administrator they are
 * `/queue`, `/api` and `/rest` below it.
 */
export const openFal = ({ address, openService }: PresetConnection): FalServers => ({
  queue: openService(address === null ? 'https://queue.fal.run' : `${address}/queue`),
  platform: openService(address === null ? 'https://api.fal.ai/v1' : `${address}/api`),
  storage_url: address === null ? 'https://rest.fal.ai' : `${address}/rest`,
});
