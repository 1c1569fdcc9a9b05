import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { ApiKeyCreated } from '#contract/resources/api-key.ts';
import { auditEvents } from '#server/platform/db/schema/audit-schema.ts';
import { passkeys } from '#server/platform/db/schema/people-schema.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { describeOnBothDatabases } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createSignInToken, SIGN_IN_TTL_MS } from '#server/accounts/keys/sign-in-tokens.ts';
import { isErrorResponse } from '#server/app/testing/test-client.ts';
import { createSoftwareAuthenticator } from '#server/app/testing/software-authenticator.ts';

const ORIGIN = 'https://studio.example.com';
const MINUTE_MS = 60_000;

describeOnBothDatabases(
  'the account of a person',
  () => ({ config: { publicUrl: ORIGIN }, engines: [createScriptedEngine()] }),
  (service) => {
    let count = 0;
    const addPerson = (role: 'administrator' | 'member' = 'administrator') =>
      service.get().addPerson(role, `Person ${(count += 1)}`);
    const createKey = async (session: string, draft: Partial<Pick<ApiKeyCreated, 'kind' | 'scopes'>> = {}) => {
      const body = { name: 'Script', kind: 'member' as const, owner: 'me' as const, ...draft };
      return (await service.get().call('create_api_key', { key: session, body })).body;
    };
    const exchange = (token: string) => service.get().request('sign_in', { key: null, body: { token } });
    const sessionOf = async (key: string) => (await service.get().call('create_session', { key })).body.secret ?? '';
    const linkedSessionOf = async (key: string) => {
      const { body } = await service.get().call('create_sign_in_token', { key });
      const answer = await exchange(body.token);
      if (isErrorResponse(answer)) throw new Error(answer.error.message);
      return answer.body.secret ?? '';
    };
    const permissionsOf = async (key: string) => (await service.get().call('get_me', { key })).body.permissions;
    const register = async (key: string) => {
      const { body } = await service.get().call('start_passkey_registration', { key });
      const credential = createSoftwareAuthenticator('studio.example.com', ORIGIN).register(body.challenge);
      return { name: 'Laptop', credential };
    };
    const addPasskey = async (key: string) =>
      (await service.get().call('create_passkey', { key, body: await register(key) })).body;

    describe.each([
      ['a read-only member key', { scopes: { tasks: null, models: null, read_only: true } }, (key: string) => key],
      ['a member key', {}, (key: string) => key],
      ['an organization key', { kind: 'organization' }, (key: string) => key],
      ['a session that a key opened', {}, sessionOf],
      ['a session of a link that a key created', { kind: 'organization' }, linkedSessionOf],
    ] as const)('is not managed by %s of an administrator', (_case, draft, credentialOf) => {
      it('neither with passkeys, nor the profile, nor their sessions', async () => {
        const { person, session } = await addPerson();
        const passkey = await addPasskey(session);
        const started = await register(session);
        const key = await credentialOf((await createKey(session, draft as Parameters<typeof createKey>[1])).key);
        const rejections = [
          await service.get().request('start_passkey_registration', { key }),
          await service.get().request('create_passkey', { key, body: started }),
          await service.get().request('update_passkey', {
            key,
            params: { passkey_id: passkey.id },
            body: { name: 'Mine' },
          }),
          await service.get().request('delete_passkey', { key, params: { passkey_id: passkey.id } }),
          await service.get().request('update_me', { key, body: { name: 'Mallory', email: 'mallory@evil.test' } }),
          await service.get().request('end_other_sessions', { key }),
        ];
        expect(rejections.map(({ status }) => status)).toEqual(rejections.map(() => 401));
        const { body } = await service.get().call('get_me', { key: session });
        expect(body.person).toMatchObject({ id: person.id, name: person.name, email: person.email });
        const left = await service.get().deps.db.select().from(passkeys).where(eq(passkeys.person_id, person.id));
        expect(left.map(({ id, name }) => [id, name])).toEqual([[passkey.id, 'Laptop']]);
        expect(await permissionsOf(key)).not.toContain('account.manage');
        const listed = await service.get().call('list_sessions', { key });
        const { body: own } = await service.get().call('list_sessions', { key: session });
        const current = own.data.find(({ is_current }) => is_current);
        expect(listed.body.data.map(({ id }) => id)).not.toContain(current?.id);
      });
    });

    it('is managed by the person’s own session', async () => {
      const { session } = await addPerson('member');
      expect(await permissionsOf(session)).toContain('account.manage');
      await addPasskey(session);
      await service.get().call('end_other_sessions', { key: session });
    });

    it('leaves programs the sessions of their key', async () => {
      const { body: created } = await service
        .get()
        .call('create_api_key', { body: { name: 'P', kind: 'organization' } });
      const [first, second] = [await sessionOf(created.key), await linkedSessionOf(created.key)];
      expect((await service.get().call('list_sessions', { key: first })).body.data).toHaveLength(2);
      await service.get().call('end_other_sessions', { key: first });
      expect((await service.get().request('get_me', { key: second })).status).toBe(401);
      expect((await service.get().call('delete_session', { key: first })).status).toBe(204);
    });

    describe('a session made from a key', () => {
      it.each([
        ['opened by it', sessionOf],
        ['of its link', linkedSessionOf],
      ])('has its scopes: %s', async (_case, open) => {
        const { session } = await addPerson();
        const scopes = { tasks: ['video.trim' as const], models: null, read_only: false };
        const scoped = await open((await createKey(session, { scopes })).key);
        const order = { task: 'image.create', model: 'imgmodel-b-2', input: { prompt: 'x' } };
        const refused = await service.get().callError('create_generation', { key: scoped, body: order });
        expect(refused.error.message).toBe('This key may not use image.create. It may use video.trim.');
        const read_only = await open(
          (await createKey(session, { scopes: { tasks: null, models: null, read_only: true } })).key,
        );
        expect(await permissionsOf(read_only)).not.toContain('work.create');
        expect((await service.get().callError('create_generation', { key: read_only, body: order })).status).toBe(401);
      });

      it('ends when the key is revoked or expires', async () => {
        const { session } = await addPerson();
        const { clock } = service.get().deps;
        const expires_at = new Date(clock.now().getTime() + MINUTE_MS).toISOString();
        const body = { name: 'Short', kind: 'member' as const, owner: 'me' as const, expires_at };
        const { body: short } = await service.get().call('create_api_key', { key: session, body });
        const revoked = await createKey(session);
        const [expiring, ended] = [await sessionOf(short.key), await sessionOf(revoked.key)];
        await service.get().call('delete_api_key', { key: session, params: { key_id: revoked.id } });
        clock.advance(MINUTE_MS);
        for (const key of [expiring, ended]) expect((await service.get().request('get_me', { key })).status).toBe(401);
      });
    });

    it('is not signed in by the link of a key that has expired or was revoked since', async () => {
      const { person, session } = await addPerson();
      const { clock, db } = service.get().deps;
      const expires_at = new Date(clock.now().getTime() + MINUTE_MS).toISOString();
      const draft = { name: 'Short', kind: 'member' as const, owner: 'me' as const };
      const { body: short } = await service
        .get()
        .call('create_api_key', { key: session, body: { ...draft, expires_at } });
      const revoked = await createKey(session);
      const tokens = [];
      for (const { key } of [short, revoked])
        tokens.push((await service.get().call('create_sign_in_token', { key })).body.token);
      await service.get().call('delete_api_key', { key: session, params: { key_id: revoked.id } });
      clock.advance(MINUTE_MS);
      for (const token of tokens) {
        const answer = await exchange(token);
        if (!isErrorResponse(answer)) throw new Error('A link of an ended key signed in.');
        expect(answer.error.message).toBe('This sign-in link was already used or has expired.');
      }
      const events = await db.select().from(auditEvents).where(eq(auditEvents.target_id, person.id));
      expect(events.filter(({ action }) => action === 'sign_in.succeeded')).toEqual([]);
    });

    describe('ten minutes after the sign-in', () => {
      const signInAgain = async (key_id: string) => {
        const { token } = await createSignInToken(service.get().deps, key_id, SIGN_IN_TTL_MS.shell);
        const answer = await exchange(token);
        if (isErrorResponse(answer)) throw new Error(answer.error.message);
        return answer.body.secret ?? '';
      };

      it('rejects changes of passkeys and the mail address until the person signs in again', async () => {
        const { person, session } = await addPerson('member');
        const passkey = await addPasskey(session);
        const params = { passkey_id: passkey.id };
        service.get().deps.clock.advance(10 * MINUTE_MS);
        const email = 'new@example.com';
        const attempts = (key: string) => [
          service.get().request('start_passkey_registration', { key }),
          service.get().request('update_me', { key, body: { name: person.name, email } }),
          service.get().request('delete_passkey', { key, params }),
        ];
        for (const answer of await Promise.all(attempts(session))) {
          if (!isErrorResponse(answer)) throw new Error('A change was accepted.');
          expect(answer.status).toBe(401);
          expect(answer.error).toMatchObject({
            code: 'authentication_error',
            message: 'Sign in again to change how you sign in.',
          });
        }
        const body = { name: 'Renamed', email: person.email };
        expect((await service.get().call('update_me', { key: session, body })).body.name).toBe('Renamed');
        await service.get().call('update_passkey', { key: session, params, body: { name: 'Work laptop' } });
        const again = await signInAgain(person.key_id);
        const accepted = await Promise.all(attempts(again));
        expect(accepted.map(({ status }) => status)).toEqual([200, 200, 204]);
      });

      it('keeps what another session of the person may do', async () => {
        const { person, session } = await addPerson('member');
        service.get().deps.clock.advance(10 * MINUTE_MS);
        await signInAgain(person.key_id);
        expect((await service.get().callError('start_passkey_registration', { key: session })).status).toBe(401);
      });

      it('accepts a passkey whose registration began in time', async () => {
        const { session } = await addPerson('member');
        service.get().deps.clock.advance(10 * MINUTE_MS - 1);
        const body = await register(session);
        service.get().deps.clock.advance(MINUTE_MS);
        expect((await service.get().call('create_passkey', { key: session, body })).status).toBe(201);
      });

      it('tells the dashboard until when', async () => {
        const { session } = await addPerson('member');
        const { clock } = service.get().deps;
        const until = async (key: string) => (await service.get().call('get_me', { key })).body.recent_sign_in_until;
        expect(await until(session)).toBe(new Date(clock.now().getTime() + 10 * MINUTE_MS).toISOString());
        expect(await until((await createKey(session)).key)).toBeNull();
        expect(await until(await sessionOf((await createKey(session)).key))).toBeNull();
      });
    });

    it('of somebody who just accepted an invitation gets a passkey straight away', async () => {
      const { body } = await service.get().call('create_invitation', { body: { role: 'member' } });
      const token = body.url.split('#token=')[1] ?? '';
      const accepted = await service.get().call('accept_invitation', { key: null, body: { token, name: 'Nora' } });
      expect((await addPasskey(accepted.body.secret ?? '')).name).toBe('Laptop');
    });
  },
);
