import { randomUUID } from 'node:crypto';
import { and, eq, isNull } from 'drizzle-orm';
import { people } from '#server/platform/db/schema/people-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { buildSignInUrl, createSignInToken, SIGN_IN_TTL_MS } from '#server/accounts/keys/sign-in-tokens.ts';
import { enqueueMail } from '#server/platform/mail/enqueue-mail.ts';

/**
 * Enqueues a request for a sign-in link. A worker looks for the person, so that neither the response nor its time tells
 * whether there is one.
 */
export async function requestSignInLink({ db, queue, secrets }: Deps, email: string): Promise<void> {
  const id = randomUUID();
  const sealed = secrets.encrypt('mail', id, email);
  await db.transaction((tx) => queue.send(tx, 'mail.sign_in', { id, sealed }));
}

/** Mails the links that were requested. @returns a function that stops claiming and resolves when active jobs are done */
export async function startSignInLinks(deps: Deps): Promise<() => Promise<void>> {
  if (deps.config.mail === null) return async () => undefined;
  return deps.queue.work('mail.sign_in', 1, async ({ id, sealed }) => {
    const email = deps.secrets.decrypt('mail', id, sealed);
    if (email !== null) await mailSignInLink(deps, email);
  });
}

async function mailSignInLink(deps: Deps, email: string): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const isActive = and(eq(people.email, email), isNull(people.removed_at));
    const [person] = await tx.select().from(people).where(isActive);
    if (!person) return;
    const { clock } = deps;
    const { token } = await createSignInToken({ db: tx, clock }, person.key_id, SIGN_IN_TTL_MS.shell, email);
    const url = buildSignInUrl(deps.config, token);
    const text = `Hello ${person.name},\n\nopen this link within 15 minutes to sign in; it works once:\n${url}\n\nIf you did not ask for it, ignore this mail.`;
    const { organization_id } = person;
    await enqueueMail(deps, tx, { organization_id, to: email, subject: 'Sign in to Emulsion', text });
  });
}
