import { channel } from 'node:diagnostics_channel';
import type { GenerationStatus } from '#contract/statuses.ts';

export interface CompletedRequest {
  method: string;
  /** Template such as `/v1/generations/:generation_id`; undefined: no route matched. */
  route: string | undefined;
  status: number;
  duration_ms: number;
}

export interface CompletedProviderCall {
  /** The provider's name, or that of an engine in the operator's file. */
  provider: string;
  operation: 'submit' | 'poll';
  /** `aborted`, or the status of an `UpstreamResponse`. */
  outcome: 'accepted' | 'succeeded' | 'unclear' | 'refused' | 'busy' | 'lost' | 'aborted';
  duration_ms: number;
}

export interface ChangedGeneration {
  id: string;
  status: GenerationStatus;
}

interface Topic<T> {
  /** Costs nothing without a listener. */
  publish(message: T): void;
  /** @returns stops listening */
  subscribe(listener: (message: T) => void): () => void;
}

/** What happens in this process, for metrics. */
function createTopic<T>(name: string): Topic<T> {
  const messages = channel(name);
  return {
    publish: (message) => messages.publish(message),
    subscribe(listener) {
      const listen = (message: unknown) => listener(message as T);
      messages.subscribe(listen);
      return () => void messages.unsubscribe(listen);
    },
  };
}

export const completedRequests = createTopic<CompletedRequest>('emulsion:http.request');
export const completedProviderCalls = createTopic<CompletedProviderCall>('emulsion:provider.call');
/** Published before the commit of the change. */
export const changedGenerations = createTopic<ChangedGeneration>('emulsion:generation.changed');
