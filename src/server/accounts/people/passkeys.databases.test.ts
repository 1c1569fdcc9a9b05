import { expect, it } from 'vitest';
import { describeOnBothDatabases } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { isErrorResponse } from '#server/app/testing/test-client.ts';
import { createSoftwareAuthenticator, type SoftwareAuthenticator } from '#server/app/testing/software-authenticator.ts';

const ORIGIN = 'https://studio.example.com';
const newAuthenticator = (origin = ORIGIN) => createSoftwareAuthenticator('studio.example.com', origin);

describeOnBothDatabases(
  'passkeys',
  () => ({ config: { publicUrl: ORIGIN } }),
  (service) => {
    let count = 0;
    const newPerson = async () => service.get().addPerson('member', `Person ${(count += 1)}`);
    const register = async (session: string, authenticator: SoftwareAuthenticator) => {
      const { body: options } = await service.get().call('start_passkey_registration', { key: session });
      const body = { name: 'Laptop', credential: authenticator.register(options.challenge) };
      return service.get().request('create_passkey', { key: session, body });
    };
    const signIn = async (authenticator: SoftwareAuthenticator, challenge?: string) => {
      const { body: options } = await service.get().call('start_passkey_sign_in', { key: null });
      const credential = authenticator.signIn(challenge ?? options.challenge);
      return service.get().request('sign_in_with_passkey', { key: null, body: { credential } });
    };

    it('sign in the person who added them', async () => {
      const { person, session } = await newPerson();
      const authenticator = newAuthenticator();
      const added = await register(session, authenticator);
      expect(added.status).toBe(201);
      expect((await service.get().call('list_passkeys', { key: session })).body.data).toMatchObject([
        { name: 'Laptop', last_used_at: null },
      ]);
      const signedIn = await signIn(authenticator);
      if (isErrorResponse(signedIn)) throw new Error(signedIn.error.message);
      const { body: me } = await service.get().call('get_me', { key: signedIn.body.secret ?? '' });
      expect(me.person?.id).toBe(person.id);
      const { body } = await service.get().call('list_passkeys', { key: session });
      expect(body.data[0]?.last_used_at).not.toBeNull();
    });

    it('are offered for exclusion and not added twice', async () => {
      const { session } = await newPerson();
      const authenticator = newAuthenticator();
      await register(session, authenticator);
      const { body } = await service.get().call('start_passkey_registration', { key: session });
      expect(body.excludeCredentials).toMatchObject([{ type: 'public-key', transports: ['internal'] }]);
      expect((await register(session, authenticator)).status).toBe(400);
    });

    it('need a challenge that was not used and is not older than five minutes', async () => {
      const { session } = await newPerson();
      const authenticator = newAuthenticator();
      await register(session, authenticator);
      const { body: options } = await service.get().call('start_passkey_sign_in', { key: null });
      const credential = authenticator.signIn(options.challenge);
      const send = () => service.get().request('sign_in_with_passkey', { key: null, body: { credential } });
      const answers = await Promise.all([send(), send(), send()]);
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401]);
      const { body: late } = await service.get().call('start_passkey_sign_in', { key: null });
      service.get().deps.clock.advance(300_000);
      expect((await signIn(authenticator, late.challenge)).status).toBe(401);
      expect((await signIn(authenticator, 'a-challenge-of-nobody')).status).toBe(401);
    });

    it('are refused from another origin and with another key', async () => {
      const { session } = await newPerson();
      expect((await register(session, newAuthenticator('https://evil.test'))).status).toBe(400);
      expect((await signIn(newAuthenticator())).status).toBe(401);
    });

    it('are not added with the challenge of another person', async () => {
      const [{ session }, { session: other }] = [await newPerson(), await newPerson()];
      const { body: options } = await service.get().call('start_passkey_registration', { key: other });
      const body = { name: 'x', credential: newAuthenticator().register(options.challenge) };
      expect((await service.get().callError('create_passkey', { key: session, body })).status).toBe(400);
    });

    it('end when they are deleted and when their person is removed', async () => {
      const { person, session } = await newPerson();
      const [first, second] = [newAuthenticator(), newAuthenticator()];
      const added = await register(session, first);
      await register(session, second);
      if (isErrorResponse(added)) throw new Error(added.error.message);
      const params = { passkey_id: added.body.id };
      const { session: other } = await newPerson();
      expect((await service.get().callError('delete_passkey', { key: other, params })).status).toBe(404);
      const name = 'Work laptop';
      expect((await service.get().callError('update_passkey', { key: other, params, body: { name } })).status).toBe(
        404,
      );
      expect(
        (await service.get().callError('update_passkey', { key: session, params, body: { name: ' ' } })).status,
      ).toBe(422);
      const renamed = await service.get().call('update_passkey', { key: session, params, body: { name } });
      expect(renamed.body).toMatchObject({ id: params.passkey_id, name });
      await service.get().call('delete_passkey', { key: session, params });
      expect((await signIn(first)).status).toBe(401);
      expect((await signIn(second)).status).toBe(201);
      await service.get().call('remove_person', { params: { person_id: person.id } });
      expect((await signIn(second)).status).toBe(401);
    });

    it('are only for people', async () => {
      expect((await service.get().callError('list_passkeys')).error.message).toMatch(/only for people/);
    });
  },
);
