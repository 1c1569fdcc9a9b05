import { type CheckReferenceDeps, createReferenceCheck } from '../../generations/check-reference.ts';
import type { Handlers } from '../bind.ts';

export function referenceRoutes(deps: CheckReferenceDeps) {
  const check = createReferenceCheck(deps);
  return {
    check_reference: ({ caller, body, signal }) => check(caller, body.url, signal),
  } satisfies Handlers;
}
