import { trimEnd } from '#contract/trim-end.ts';
import type { RemoteService } from '#server/platform/net/remote-service.ts';
import type { PresetConnection } from '#server/models/providers/preset-connection.ts';

export interface FalServers {
  queue: RemoteService;
  platform: RemoteService;
  storage_url: string;
  pages_url: string;
}

export const FAL_QUEUE = 'https://queue.fal.run';

/** References and results are public links. They stay long enough for a manual review. */
const EXPIRE_AFTER_SECONDS = 7 * 86_400;

/**
 * Opens fal's hosts: queue.fal.run, api.fal.ai/v1, rest.fal.ai and fal.ai. With an address of the administrator they are
 * `/queue`, `/api`, `/rest` and `/pages` below it.
 */
export function openFal({ address, openService }: PresetConnection): FalServers {
  const entered = address === null ? null : trimEnd(address, '/');
  const base = entered === FAL_QUEUE ? null : entered;
  return {
    queue: openService(base === null ? FAL_QUEUE : `${base}/queue`),
    platform: openService(base === null ? 'https://api.fal.ai/v1' : `${base}/api`),
    storage_url: base === null ? 'https://rest.fal.ai' : `${base}/rest`,
    pages_url: base === null ? 'https://fal.ai' : `${base}/pages`,
  };
}

/** What the adapters of a connection have in common. */
export function connectFalAdapter(connection: PresetConnection) {
  const { queue, platform, storage_url } = openFal(connection);
  return {
    service: queue,
    platform,
    storage_url,
    api_key: connection.api_key ?? '',
    // Not every endpoint takes data URLs; every one takes fal's own links.
    max_data_url_bytes: 0,
    expire_after_seconds: EXPIRE_AFTER_SECONDS,
    deadlineMs: connection.deadlineMs,
  };
}
