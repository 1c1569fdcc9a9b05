import type { Generation } from '#contract/resources/generation.ts';
import type { WebhookEvent } from '#contract/resources/webhook.ts';

/** The generation that an event is about. */
export function sentGeneration({ data: { object } }: WebhookEvent): Generation {
  if (object.object !== 'generation') throw new Error('The event is not about a generation.');
  return object;
}
