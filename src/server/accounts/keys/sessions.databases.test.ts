import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { describeOnBothDatabases } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { isErrorResponse } from '#server/app/testing/test-client.ts';
import { createSignInToken, SIGN_IN_TTL_MS } from './sign-in-tokens.ts';

const DAY_MS = 86_400_000;

describeOnBothDatabases(
  'sessions',
  () => ({}),
  (service) => {
    const newToken = async (key: string, ttlMs: number = SIGN_IN_TTL_MS.shell) => {
      const { body } = await service.get().call('get_me', { key });
      return (await createSignInToken(service.get().deps, body.key.id, ttlMs)).token;
    };
    const newMember = async () =>
      (await service.get().call('create_api_key', { body: { name: 'Anna', kind: 'member' } })).body;
    const signIn = (token: string) => service.get().request('sign_in', { key: null, body: { token } });
    const openSession = async (key: string) => {
      const { body } = await service.get().call('create_session', { key });
      return { ...body, secret: body.secret ?? '' };
    };
    const status = async (key: string) => (await service.get().request('get_me', { key })).status;

    describe('the token of a sign-in link', () => {
      it('is exchanged for a session with the rights of its key', async () => {
        const member = await newMember();
        const answer = await service
          .get()
          .call('sign_in', { key: null, body: { token: await newToken(member.key, SIGN_IN_TTL_MS.shared) } });
        expect(answer.status).toBe(201);
        expect(answer.body.secret).toMatch(/^mgs_ses_[\w-]{43}$/);
        expect(answer.headers['cache-control']).toBe('no-store');
        const { body } = await service.get().call('get_me', { key: answer.body.secret ?? '' });
        expect(body.key).toEqual({ id: member.id, name: 'Anna', kind: 'member' });
        expect((await service.get().callError('list_api_keys', { key: answer.body.secret ?? '' })).status).toBe(401);
      });

      it('works once, even with concurrent attempts', async () => {
        const token = await newToken(service.get().keys.member);
        const answers = await Promise.all(Array.from({ length: 8 }, () => signIn(token)));
        expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array<number>(7).fill(401)]);
        expect((await signIn(token)).status).toBe(401);
      });

      it('gets the same error if used, expired, unknown or of a revoked key', async () => {
        const member = await newMember();
        const [used, expired, revoked] = [
          await newToken(member.key),
          await newToken(member.key),
          await newToken(member.key, 10 * DAY_MS),
        ];
        await signIn(used);
        service.get().deps.clock.advance(SIGN_IN_TTL_MS.shell);
        await service.get().call('delete_api_key', { params: { key_id: member.id } });
        const answers = await Promise.all(
          [used, expired, revoked, 'mgs_lnk_guess', service.get().keys.member].map(signIn),
        );
        for (const answer of answers) {
          if (!isErrorResponse(answer)) throw new Error('A token was accepted that is not valid.');
          expect({ ...answer.error, request_id: '' }).toEqual({
            code: 'authentication_error',
            message: 'This sign-in link was already used or has expired.',
            request_id: '',
          });
          expect(answer.status).toBe(401);
        }
      });

      it('is created with the key and is valid for 24 hours', async () => {
        const { clock } = service.get().deps;
        const create = async () =>
          (await service.get().call('create_sign_in_token', { key: service.get().keys.member })).body;
        const [first, second] = [await create(), await create()];
        expect(first.expires_at).toBe(new Date(clock.now().getTime() + DAY_MS).toISOString());
        clock.advance(DAY_MS - 1);
        expect((await signIn(first.token)).status).toBe(201);
        clock.advance(1);
        expect((await signIn(second.token)).status).toBe(401);
      });

      it('is deleted after twenty newer ones of its key', async () => {
        const tokens = [];
        for (let created = 0; created < 21; created += 1) {
          tokens.push(await newToken(service.get().keys.member));
          service.get().deps.clock.advance(1);
        }
        expect((await signIn(tokens[0] ?? '')).status).toBe(401);
        expect((await signIn(tokens[1] ?? '')).status).toBe(201);
      });

      it('is not accepted as a credential', async () => {
        expect(await status(await newToken(service.get().keys.member))).toBe(401);
      });
    });

    describe('a session', () => {
      it('is not stored in the database, nor is a token', async () => {
        const { secret } = await openSession(service.get().keys.member);
        const token = await newToken(service.get().keys.member);
        const { rows } = (await service
          .get()
          .deps.db.execute(
            sql`select to_jsonb(sessions)::text as row from sessions union all select to_jsonb(sign_in_tokens)::text from sign_in_tokens`,
          )) as { rows: { row: string }[] };
        expect(rows.length).toBeGreaterThan(1);
        const dump = JSON.stringify(rows);
        for (const text of [secret, token]) expect(dump).not.toContain(text.slice(8));
      });

      it('ends on sign-out without affecting other sessions of its key', async () => {
        const [first, second] = [
          await openSession(service.get().keys.member),
          await openSession(service.get().keys.member),
        ];
        expect((await service.get().call('delete_session', { key: first.secret })).status).toBe(204);
        expect([await status(first.secret), await status(second.secret)]).toEqual([401, 200]);
        expect(await status(service.get().keys.member)).toBe(200);
      });

      it('ends immediately with its key', async () => {
        const member = await newMember();
        const { secret } = await openSession(member.key);
        await service.get().call('delete_api_key', { params: { key_id: member.id } });
        expect(await status(secret)).toBe(401);
      });

      it('lasts 30 days from its last use', async () => {
        const { deps } = service.get();
        const { secret } = await openSession(service.get().keys.member);
        for (let use = 0; use < 3; use += 1) {
          deps.clock.advance(29 * DAY_MS);
          expect(await status(secret)).toBe(200);
          // The use is recorded after the response.
          await expect
            .poll(async () => {
              const { rows } = (await deps.db.execute(sql`select max(expires_at) as last from sessions`)) as {
                rows: { last: string }[];
              };
              return new Date(rows[0]?.last ?? 0).getTime();
            })
            .toBe(deps.clock.now().getTime() + 30 * DAY_MS);
        }
        deps.clock.advance(30 * DAY_MS);
        expect(await status(secret)).toBe(401);
      });

      it('cannot open another one', async () => {
        const { secret } = await openSession(service.get().keys.member);
        for (const name of ['create_session', 'create_sign_in_token'] as const) {
          const { error } = await service.get().callError(name, { key: secret });
          expect(error).toMatchObject({
            code: 'authentication_error',
            message: 'A session cannot open another one. Send an API key.',
          });
        }
      });

      it('of a person opens one on another device, by a link of five minutes, soon after the sign-in', async () => {
        const { call, callError, addPerson, deps } = service.get();
        const { session, person } = await addPerson('member', 'Phoebe');
        const create = async () => (await call('create_sign_in_token', { key: session })).body;
        const { token, expires_at } = await create();
        expect(Date.parse(expires_at) - deps.clock.now().getTime()).toBe(300_000);
        const { secret } = (await call('sign_in', { key: null, body: { token } })).body;
        expect((await call('get_me', { key: secret ?? '' })).body.person).toMatchObject({ id: person.id });
        expect((await callError('sign_in', { key: null, body: { token } })).status).toBe(401);
        const late = await create();
        deps.clock.advance(300_000);
        expect((await callError('sign_in', { key: null, body: { token: late.token } })).status).toBe(401);
        deps.clock.advance(300_000);
        const { error } = await callError('create_sign_in_token', { key: session });
        expect(error.message).toBe('Sign in again to change how you sign in.');
      });

      it('cannot be opened for a publishing key', async () => {
        expect((await service.get().callError('create_session', { key: service.get().keys.publishing })).status).toBe(
          401,
        );
      });

      it('ends after a hundred newer ones of its key', async () => {
        const member = await newMember();
        const secrets = [];
        for (let opened = 0; opened < 101; opened += 1) {
          secrets.push((await openSession(member.key)).secret);
          service.get().deps.clock.advance(1);
        }
        expect(await status(secrets[0] ?? '')).toBe(401);
        expect(await status(secrets[1] ?? '')).toBe(200);
        expect(await status(secrets[100] ?? '')).toBe(200);
      });
    });

    it('returns 400 for a sign-out with an API key', async () => {
      const { status: refused, error } = await service.get().callError('delete_session');
      expect(refused).toBe(400);
      expect(error.message).toBe('This request came with an API key, so there is no session to end.');
    });

    it.each([
      ['no token', {}],
      ['an empty token', { token: '' }],
      ['a token of 256 characters', { token: 'x'.repeat(256) }],
      ['a number', { token: 7 }],
      ['an unknown property', { token: 'x', key: 'y' }],
    ])('returns 422 for %s', async (_case, body) => {
      expect((await service.get().callError('sign_in', { key: null, body })).status).toBe(422);
    });
  },
);
