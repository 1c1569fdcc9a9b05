import type { StepProblem } from '#contract/resources/credentials.ts';
import {
  type ManifestStore,
  type StoredIngredient,
  type ValidationResults,
  type ValidationStatus,
} from './manifest-store.ts';

/** The hash that binds a manifest to its file does not fit, or can't be computed without the file. */
export const isBindingFailure = ({ code }: ValidationStatus): boolean =>
  /^assertion\.(?:dataHash|bmffHash|boxesHash|collectionHash)\./.test(code);

/** The bytes of a step were changed after it was signed. */
const isChange = (status: ValidationStatus): boolean =>
  isBindingFailure(status) || /(?:^|\.)(?:hashedURI|claimSignature|manifest)\.mismatch$/.test(status.code);

/** Of a statement about a person, which is signed beside the manifest: it says nothing about the file. */
export const isIdentityStatus = ({ code }: ValidationStatus): boolean => code.startsWith('cawg.');

/** Without a list of issuers, nobody else's certificate is trusted; the signer is named instead. */
const isTrustStatus = ({ code }: ValidationStatus): boolean =>
  /^(?:signingCredential|timeStamp)\.untrusted$/.test(code);

/** Whether a status of the list of failures is one of the file. */
const isFailure = (status: ValidationStatus): boolean => !isTrustStatus(status) && !isIdentityStatus(status);

/** Old manifests list successes and remarks together with failures. */
const isSuccess = ({ code, success }: ValidationStatus): boolean =>
  success ??
  /\.(?:validated|trusted|match|insideValidity|notRevoked|accessible|skipped|unknown|inaccessible|additionalExclusionsPresent|unknownProvenance)$/.test(
    code,
  );

export const problemOf = (statuses: readonly ValidationStatus[]): StepProblem | null => {
  const failures = statuses.filter(isFailure);
  if (failures.some(isChange)) return 'changed';
  return failures.length > 0 ? 'invalid' : null;
};

const listFailures = ({ activeManifest, ingredientDeltas }: ValidationResults): ValidationStatus[] =>
  [activeManifest, ...ingredientDeltas.map(({ validationDeltas }) => validationDeltas)].flatMap(
    ({ failure }) => failure,
  );

/** What its signer found wrong with an ingredient and all that it was made from. */
export const ingredientFailures = ({ validation_results, validation_status }: StoredIngredient): ValidationStatus[] => [
  ...listFailures(validation_results),
  ...validation_status.filter((status) => !isSuccess(status)),
];

/** The manifest that a status is about: `self#jumbf=/c2pa/<label>/c2pa.signature`. */
const labelOf = ({ url }: ValidationStatus): string | undefined => /\/c2pa\/([^/]+)/.exec(url ?? '')?.[1];

/**
 * Collects what is wrong with the steps of a history, by label: what those who used them have recorded, and what is
 * found now.
 * @param labels of the manifests that the file consists of
 */
export function collectProblems(store: ManifestStore, labels: readonly string[]): ReadonlyMap<string, StepProblem> {
  const problems = new Map<string, StepProblem>();
  const add = (statuses: readonly ValidationStatus[], fallback: string | undefined): void => {
    for (const status of statuses) {
      const label = labelOf(status) ?? fallback;
      const problem = problemOf([status]);
      if (label === undefined || label === store.active_manifest || problem === null) continue;
      if (problems.get(label) !== 'changed') problems.set(label, problem);
    }
  };
  for (const label of labels)
    for (const ingredient of store.manifests[label]?.ingredients ?? [])
      add(ingredientFailures(ingredient), ingredient.active_manifest);
  for (const { validationDeltas } of store.validation_results.ingredientDeltas)
    add(validationDeltas.failure, undefined);
  return problems;
}
