import type { RemoteService } from '#server/platform/net/remote-service.ts';
import type { PresetConnection } from '#server/models/providers/preset.ts';

export interface FalServers {
  queue: RemoteService;
  platform: RemoteService;
  storage_url: string;
}

export const FAL_QUEUE = 'https://queue.fal.run';

/**
 * Opens fal's hosts: queue.fal.run, api.fal.ai/v1 and rest.fal.ai. With an address of the administrator they are
 * `/queue`, `/api` and `/rest` below it.
 */
export function openFal({ address, openService }: PresetConnection): FalServers {
  const entered = address?.replace(/\/+$/, '');
  const base = entered === undefined || entered === FAL_QUEUE ? null : entered;
  return {
    queue: openService(base === null ? FAL_QUEUE : `${base}/queue`),
    platform: openService(base === null ? 'https://api.fal.ai/v1' : `${base}/api`),
    storage_url: base === null ? 'https://rest.fal.ai' : `${base}/rest`,
  };
}
