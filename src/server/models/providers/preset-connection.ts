import type { RemoteService } from '#server/platform/net/remote-service.ts';

/** The way to a provider's servers, with the key of one connection. */
export interface PresetConnection {
  /** null: the provider takes no key, or none was given. */
  api_key: string | null;
  /** The address that the administrator entered; null: the usual one. */
  address: string | null;
  /** Whether the provider draws its visible mark on what it makes; only presets that have one read it. */
  visible_watermark?: boolean;
  /** Opens a server of the provider. With `address`, all of them must be below it. @throws {OutboundError} */
  openService(baseUrl: string): RemoteService;
  deadlineMs: number;
}
