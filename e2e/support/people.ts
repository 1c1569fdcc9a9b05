import type { Role } from '#contract/permissions.ts';
import type { InvitationCreated } from '#contract/resources/person.ts';
import type { SessionCreated } from '#contract/resources/session.ts';
import { call } from './api-client.ts';
import type { Service } from './service.ts';

/** A person's session, as `openSignedIn` and `call` take it. */
export type PersonSession = Pick<Service, 'url' | 'key'>;

/** Adds a person by an invitation. */
export async function addPerson(
  service: Pick<Service, 'url' | 'key'>,
  role: Role,
  name: string,
): Promise<PersonSession> {
  const { url } = await call<InvitationCreated>(service, 'POST', '/v1/invitations', { role });
  const token = new URL(url).hash.replace('#token=', '');
  const session = await call<SessionCreated>(service, 'POST', '/v1/invitations/accept', { token, name });
  return { url: service.url, key: session.secret ?? '' };
}
