import type { Deps } from '#server/platform/deps.ts';
import { findPreset } from '#server/models/providers/presets.ts';
import type { OfferedTextModel } from '#server/models/text/text-model.ts';
import { OutboundError } from '#server/platform/net/outbound-error.ts';
import { openConnection } from './connection-engines.ts';
import { revealKey } from './connection-key.ts';
import type { StoredConnection } from './connections.ts';

/** Opens the text model of the first active connection that has one. Decision: Improve a prompt */
export function findTextModel(
  deps: Pick<Deps, 'log' | 'fetcher' | 'secrets'>,
  connections: readonly StoredConnection[],
): OfferedTextModel | null {
  for (const connection of connections) {
    const opened = openTextModel(deps, connection);
    if (opened) return opened;
  }
  return null;
}

function openTextModel(
  deps: Pick<Deps, 'log' | 'fetcher' | 'secrets'>,
  { id, provider, address, text_model, state, disconnected_at, credentials: [credential] }: StoredConnection,
): OfferedTextModel | null {
  const preset = findPreset(provider);
  if (!preset?.text || text_model === null || state !== 'active' || disconnected_at !== null) return null;
  if (!credential || credential.retired_at !== null) return null;
  const { api_key, problem } = revealKey(deps, credential);
  if (problem !== null) return null;
  try {
    const generate = preset.text.createGenerate(openConnection(deps, { address, api_key }));
    return { connection_id: id, name: preset.name, settings: text_model, generate };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    deps.log.error({ err: error, provider: id }, 'provider address is not usable');
    return null;
  }
}
