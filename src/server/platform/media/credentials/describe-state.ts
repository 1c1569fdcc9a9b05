import type { CredentialReport } from '#contract/resources/credentials.ts';
import { ingredientFailures, isBindingFailure, problemOf } from './history-problems.ts';
import type { ManifestStore, ValidationStatus } from './manifest-store.ts';

const CHANGED_MESSAGE = 'This file was changed after it was signed.';
const INVALID_MESSAGE = 'The signature of this file can’t be checked: its certificate or its credentials are faulty.';
const HISTORY_MESSAGES = {
  changed: 'Something that this file was made from was changed before it came here, after it had been signed.',
  invalid: 'Something that this file was made from had faulty credentials before it came here.',
} as const;

/**
 * Says whether a file is as it was signed, and what it was made from.
 * @param labels of all its manifests
 * @param isStoreAlone its file is not here, so that nothing is known of its binding
 */
export function describeState(
  { manifests, validation_results, validation_state }: ManifestStore,
  labels: readonly string[],
  isStoreAlone: boolean,
): Pick<CredentialReport, 'state' | 'problem'> {
  const { activeManifest, ingredientDeltas } = validation_results;
  const statuses = [activeManifest, ...ingredientDeltas.map(({ validationDeltas }) => validationDeltas)]
    .flatMap(({ failure }) => failure)
    .filter((status) => !isStoreAlone || !isBindingFailure(status));
  const now = problemOf(statuses);
  if (now === 'changed') return { state: 'changed', problem: CHANGED_MESSAGE };
  // The library calls a file invalid for an identity or an unknown issuer, too.
  if (now === 'invalid' || (validation_state === 'Invalid' && !isSigned(activeManifest.success)))
    return { state: 'invalid', problem: INVALID_MESSAGE };
  const recorded = labels.flatMap((label) => manifests[label]?.ingredients ?? []).flatMap(ingredientFailures);
  const before = problemOf(recorded);
  return before === null
    ? { state: 'valid', problem: null }
    : { state: 'history_problem', problem: HISTORY_MESSAGES[before] };
}

const isSigned = (success: readonly ValidationStatus[]): boolean =>
  ['claimSignature.validated', 'claimSignature.insideValidity'].every((code) =>
    success.some((status) => status.code === code),
  );
