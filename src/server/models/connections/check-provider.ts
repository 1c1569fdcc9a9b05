import type { ProviderTestResult } from '#contract/resources/provider.ts';
import type { Deps } from '#server/platform/deps.ts';
import { EngineError } from '#server/models/engine/engine.ts';
import type { ProviderPreset } from '#server/models/providers/preset.ts';
import type { PresetConnection } from '#server/models/providers/preset-connection.ts';
import { describeProviderError, InvalidKeyError, toSentence } from '#server/models/engine/upstream-errors.ts';
import { ResponseLostError, UpstreamBusyError } from '#server/models/engine/upstream.ts';
import { OutboundError } from '#server/platform/net/outbound-error.ts';
import { openConnection } from './connection-engines.ts';

const CHECK_TIMEOUT_MS = 15_000;

/**
 * Makes the free call of a preset. It always has a result: an unreachable server or a rejected key is a sentence.
 * @throws the reason of `signal` if it is aborted
 */
export async function checkProvider(
  deps: Pick<Deps, 'log' | 'fetcher'>,
  preset: ProviderPreset,
  connection: Pick<PresetConnection, 'address' | 'api_key'>,
  signal: AbortSignal,
): Promise<ProviderTestResult> {
  const timeout = AbortSignal.timeout(CHECK_TIMEOUT_MS);
  try {
    const message = await preset.check(openConnection(deps, connection), AbortSignal.any([signal, timeout]));
    return { object: 'provider_test', ok: true, message };
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted)
      return failure(`${preset.name} did not respond within ${CHECK_TIMEOUT_MS / 1000} seconds. Try again.`);
    if (!isProviderError(error)) {
      deps.log.error({ err: error, provider: preset.id }, 'provider check failed');
      return failure(`${preset.name} sent a response that is not valid for this call. Check the address.`);
    }
    return failure(describeProviderFailure(preset, error));
  }
}

export const isProviderError = (error: unknown): boolean =>
  [EngineError, UpstreamBusyError, ResponseLostError, OutboundError].some((kind) => error instanceof kind);

/** The network's reason where there was no response; otherwise the sentence of the adapter. */
export function describeProviderFailure({ name }: Pick<ProviderPreset, 'name'>, error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof OutboundError ? error.cause : error;
  if (cause instanceof OutboundError && cause.code === 'not_connected')
    return `${name} could not be reached. Check the address and the network of this service.`;
  if (cause instanceof OutboundError) return `${name} could not be reached. ${cause.message}`;
  if (!(error instanceof Error)) return String(error);
  const sentence = describeProviderError(error);
  const hasOwnWords = sentence !== error.message;
  const responded = `${name} responded: ${toSentence(sentence)}`;
  if (error instanceof InvalidKeyError) return `This key is not valid.${hasOwnWords ? ` ${responded}` : ''}`;
  return hasOwnWords ? responded : sentence;
}

const failure = (message: string): ProviderTestResult => ({ object: 'provider_test', ok: false, message });
