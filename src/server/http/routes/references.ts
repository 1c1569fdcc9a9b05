import { type CheckReferenceDeps, createReferenceCheck } from '#server/generations/check-reference.ts';
import type { Handlers } from '../handler.ts';

export function referenceRoutes(deps: CheckReferenceDeps) {
  const check = createReferenceCheck(deps);
  return {
    check_reference: ({ caller, body, signal }) => check(caller, body.url, signal),
  } satisfies Handlers;
}
