import { and, asc, eq, isNull } from 'drizzle-orm';
import * as z from 'zod/mini';
import { keyName } from '#contract/resources/api-key.ts';
import { shellActor } from '#server/accounts/audit/record-audit-event.ts';
import { createRecordedKey } from '#server/accounts/keys/create-key.ts';
import { listKeys } from '#server/accounts/keys/list-keys.ts';
import { buildSignInUrl, createSignInToken, SIGN_IN_TTL_MS } from '#server/accounts/keys/sign-in-tokens.ts';
import { findPerson } from '#server/accounts/people/find-person.ts';
import { people } from '#server/platform/db/schema/people-schema.ts';
import type { Deps } from '#server/platform/deps.ts';

/** Who a link signs in: this person, this key, a new key of this name, or with none of them the only administrator. */
export const ShellSignIn = z.strictObject({
  person: z.optional(z.string()),
  key: z.optional(z.string()),
  name: z.optional(keyName()),
});
type ShellSignIn = z.infer<typeof ShellSignIn>;

type SignInDeps = Pick<Deps, 'config' | 'db' | 'clock'>;

/** Creates a link for the shell. Whoever may use the shell may sign in as anybody. @throws an error with a sentence */
export async function createShellSignIn(deps: SignInDeps, organizationId: string, who: ShellSignIn): Promise<string> {
  const keyId = await findSignInKey(deps, organizationId, who);
  const { token } = await createSignInToken(deps, keyId, SIGN_IN_TTL_MS.shell);
  return buildSignInUrl(deps.config, token);
}

async function findSignInKey(
  deps: SignInDeps,
  organizationId: string,
  { person, key, name }: ShellSignIn,
): Promise<string> {
  if (person !== undefined) return (await findPerson(deps.db, organizationId, person)).key_id;
  if (key !== undefined) return findUsableKey(deps, organizationId, key);
  const administrators = name === undefined ? await listAdministrators(deps, organizationId) : [];
  const [only, ...others] = administrators;
  if (only && others.length === 0) return only.key_id;
  if (only) {
    const lines = administrators.map((each) => `  ${each.id}  ${each.name}${each.email ? ` (${each.email})` : ''}`);
    throw new Error(`Say who with --person:\n${lines.join('\n')}`);
  }
  const created = { name: name ?? 'Sign-in link', kind: 'organization' } as const;
  return (await createRecordedKey(deps, shellActor(organizationId), created)).id;
}

const listAdministrators = ({ db }: SignInDeps, organizationId: string) =>
  db
    .select()
    .from(people)
    .where(and(eq(people.organization_id, organizationId), eq(people.role, 'administrator'), isNull(people.removed_at)))
    .orderBy(asc(people.id));

/** @throws an error with a sentence if the key cannot be used in a browser */
async function findUsableKey(deps: SignInDeps, organizationId: string, key_id: string): Promise<string> {
  const shell = { organization_id: organizationId, permissions: new Set(['keys.manage'] as const), person: null };
  const key = (await listKeys(deps, shell)).find(({ id }) => id === key_id);
  if (!key) throw new Error(`There is no key ${key_id}.`);
  if (key.revoked_at !== null) throw new Error(`${key_id} is revoked.`);
  if (key.kind === 'publishing') throw new Error(`${key_id} is a publishing key: it can only upload files.`);
  return key_id;
}
