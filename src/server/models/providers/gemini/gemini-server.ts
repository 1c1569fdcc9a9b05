import type { RemoteService } from '#server/platform/net/remote-service.ts';
import type { PresetConnection } from '#server/models/providers/preset-connection.ts';

export const GEMINI_ADDRESS = 'https://generativelanguage.googleapis.com/v1beta';

/** With an address, all requests go below it: `${address}/models/…`, `${address}/interactions`, `${address}/files/…`. */
export const openGemini = ({ openService, address }: PresetConnection): RemoteService =>
  openService(address ?? GEMINI_ADDRESS);
