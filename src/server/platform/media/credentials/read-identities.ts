import * as z from 'zod/mini';
import { ingredientFailures, isIdentityStatus } from './history-problems.ts';
import { type ManifestStore, orElse } from './manifest-store.ts';

export interface SignedIdentity {
  name: string | undefined;
  is_faulty: boolean;
}

/** `cawg.identity`, `cawg.identity__1` */
const LABEL = /^cawg\.identity(?:__\d+)?$/;
/** Nobody here vouches for the one who vouches for the person, and nothing is fetched. */
const UNCHECKED = /\.(?:untrusted|untrusted_issuer|did_unavailable)$/;

const optional = <T extends z.ZodMiniType>(item: T) => orElse(z.optional(item), undefined);
const text = () => optional(z.string());
const Claims = optional(
  z.array(z.object({ name: text(), username: text(), provider: optional(z.object({ name: text() })) })),
);
/** Signed with a certificate of the person, or by someone who has seen accounts of that person. */
const Identity = z.object({
  signature_info: optional(z.object({ common_name: text(), issuer: text() })),
  verifiedIdentities: Claims,
  credentialSubject: optional(z.object({ verifiedIdentities: Claims })),
});

function nameOf(data: unknown): string | undefined {
  const { signature_info, verifiedIdentities, credentialSubject } = Identity.safeParse(data).data ?? {};
  const [person] = verifiedIdentities ?? credentialSubject?.verifiedIdentities ?? [];
  if (person?.name !== undefined) return person.name;
  if (person?.username === undefined) return signature_info?.common_name ?? signature_info?.issuer;
  return person.provider?.name === undefined ? person.username : `${person.username} (${person.provider.name})`;
}

/** Reads the identities that a manifest names, with what the checks of them have found. */
export function readIdentities(store: ManifestStore, label: string): SignedIdentity[] {
  const identities = store.manifests[label]?.assertions.filter((assertion) => LABEL.test(assertion.label)) ?? [];
  if (identities.length === 0) return [];
  const { activeManifest, ingredientDeltas } = store.validation_results;
  const faults = [
    ...activeManifest.failure,
    ...ingredientDeltas.flatMap(({ validationDeltas }) => validationDeltas.failure),
    ...Object.values(store.manifests).flatMap((manifest) => manifest?.ingredients.flatMap(ingredientFailures) ?? []),
  ].filter((status) => isIdentityStatus(status) && !UNCHECKED.test(status.code));
  return identities.map((identity) => ({
    name: nameOf(identity.data),
    is_faulty: faults.some(({ url }) => url?.endsWith(`/c2pa/${label}/c2pa.assertions/${identity.label}`)),
  }));
}
