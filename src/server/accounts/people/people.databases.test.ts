import { desc } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { auditEvents } from '#server/platform/db/schema/audit-schema.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { describeOnBothDatabases } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { isErrorResponse } from '#server/app/testing/test-client.ts';
import { shellActor } from '#server/accounts/audit/record-audit-event.ts';
import { confirmPendingEmail } from './own-email.ts';

const WEEK_MS = 7 * 86_400_000;

describeOnBothDatabases(
  'people',
  () => ({ engines: [createScriptedEngine()] }),
  (service) => {
    let count = 0;
    const newEmail = () => `person${(count += 1)}@example.com`;
    const invite = async (body: { email?: string; name?: string; role: 'member' | 'administrator' }) => {
      const { body: created } = await service.get().call('create_invitation', { body });
      return { ...created, token: created.url.split('#token=')[1] ?? '' };
    };
    const accept = (token: string, body: { name: string; email?: string }) =>
      service.get().request('accept_invitation', { key: null, body: { token, ...body } });
    const lastEvent = async () => {
      const { db } = service.get().deps;
      const [event] = await db
        .select()
        .from(auditEvents)
        .orderBy(desc(auditEvents.created_at), desc(auditEvents.id))
        .limit(1);
      return event;
    };
    const status = async (key: string) => (await service.get().request('get_me', { key })).status;

    describe('an invitation', () => {
      it('is accepted once and opens a session of the new person', async () => {
        const email = newEmail();
        const { token } = await invite({ email: email.toUpperCase(), name: 'Berta', role: 'member' });
        const preview = await service.get().call('preview_invitation', { key: null, body: { token } });
        expect(preview.body).toMatchObject({ organization: 'Studio', role: 'member', name: 'Berta', email });
        const answers = await Promise.all(['Berta', 'Bella'].map((name) => accept(token, { name })));
        expect(answers.map((answer) => answer.status).sort()).toEqual([201, 401]);
        const accepted = answers.find((answer) => !isErrorResponse(answer));
        if (!accepted || isErrorResponse(accepted)) throw new Error('Nobody was accepted.');
        const me = await service.get().call('get_me', { key: accepted.body.secret ?? '' });
        expect(me.body.person).toMatchObject({ email, role: 'member' });
        expect((await service.get().call('list_invitations')).body.data[0]?.status).toBe('accepted');
      });

      it.each([
        ['unknown', async () => 'mgs_inv_guess', /is not one of this service/],
        [
          'of a link',
          async () => (await invite({ role: 'member' })).token.replace('mgs_inv_', 'mgs_lnk_'),
          /not one of/,
        ],
        [
          'revoked',
          async () => {
            const { id, token } = await invite({ role: 'member' });
            await service.get().call('revoke_invitation', { params: { invitation_id: id } });
            return token;
          },
          /was revoked/,
        ],
        [
          'expired',
          async () => {
            const { token } = await invite({ role: 'member' });
            service.get().deps.clock.advance(WEEK_MS);
            return token;
          },
          /has expired/,
        ],
      ])('is refused with a sentence and recorded: %s', async (_case, makeToken, message) => {
        const token = await makeToken();
        const preview = await service.get().callError('preview_invitation', { key: null, body: { token } });
        expect(preview.error).toMatchObject({ code: 'authentication_error', message: expect.stringMatching(message) });
        expect((await accept(token, { name: 'Carla' })).status).toBe(401);
      });

      it('records a rejection once in a minute', async () => {
        const { db } = service.get().deps;
        await accept('mgs_inv_nothing', { name: 'Carla' });
        const rejected = (await db.select().from(auditEvents)).filter(({ action }) => action === 'invitation.rejected');
        const unknown = rejected.filter(({ after }) => after?.['cause'] === 'unknown');
        expect(unknown).toHaveLength(1);
        expect(unknown[0]).toMatchObject({ actor_type: 'unknown', address: '127.0.0.1' });
      });

      it('keeps its mail address', async () => {
        const { token } = await invite({ email: newEmail(), role: 'member' });
        expect((await accept(token, { name: 'Dora', email: newEmail() })).status).toBe(422);
        expect((await accept(token, { name: 'Dora' })).status).toBe(201);
      });

      it('is refused for an address that somebody has, in any case of letters', async () => {
        const email = newEmail();
        await accept((await invite({ email, role: 'member' })).token, { name: 'Emma' });
        const body = { email: email.toUpperCase(), role: 'member' as const };
        expect((await service.get().callError('create_invitation', { body })).error.code).toBe('email_taken');
        const { token } = await invite({ role: 'member' });
        expect((await accept(token, { name: 'Emma', email })).status).toBe(409);
      });
    });

    it('changes of role and name apply at once and are recorded', async () => {
      const { person, session } = await service.get().addPerson('member', `Frida ${newEmail()}`);
      const params = { person_id: person.id };
      await service.get().call('update_person', { params, body: { name: 'Frida', role: 'viewer' } });
      const { body } = await service.get().call('get_me', { key: session });
      expect(body.person).toMatchObject({ name: 'Frida', role: 'viewer' });
      expect(body.key.name).toBe('Frida');
      expect(body.permissions).not.toContain('work.create');
      expect(await lastEvent()).toMatchObject({
        action: 'person.updated',
        before: { role: 'member' },
        after: { role: 'viewer', name: 'Frida' },
      });
    });

    it('people change their own name, and administrators their address where no mail is set up', async () => {
      const { session } = await service.get().addPerson('administrator', `Greta ${newEmail()}`);
      const email = newEmail();
      const { body } = await service.get().call('update_me', { key: session, body: { name: ' Greta ', email } });
      expect(body).toMatchObject({ name: 'Greta', email, pending_email: null });
      const { status: refused, error } = await service
        .get()
        .callError('update_me', { body: { name: 'Program', email: null } });
      expect(refused).toBe(401);
      expect(error.message).toMatch(/^A key cannot change an account\./);
    });

    it('the address of a member waits for the operator where no mail is set up', async () => {
      const { deps, organization_id } = service.get();
      const { person, session } = await service.get().addPerson('member', `Gina ${newEmail()}`);
      const email = newEmail();
      const change = { key: session, body: { name: 'Gina', email } };
      const { body } = await service.get().call('update_me', change);
      expect(body).toMatchObject({ email: person.email, pending_email: email });
      expect((await service.get().callError('resend_email_confirmation', { key: session })).status).toBe(400);
      const confirmed = await confirmPendingEmail(deps, shellActor(organization_id), person.id);
      expect(confirmed).toMatchObject({ email, pending_email: null });
      expect(await lastEvent()).toMatchObject({ action: 'person.updated', actor_type: 'shell', after: { email } });
    });

    it('removal ends sessions, keys, passkeys and invitations', async () => {
      await service.get().addPerson('administrator', newEmail());
      const { person, session } = await service.get().addPerson('administrator', `Hanna ${newEmail()}`);
      const { body: invited } = await service
        .get()
        .call('create_invitation', { key: session, body: { role: 'viewer' } });
      expect(await status(session)).toBe(200);
      await service.get().call('remove_person', { params: { person_id: person.id } });
      expect(await status(session)).toBe(401);
      const token = invited.url.split('#token=')[1] ?? '';
      expect((await accept(token, { name: 'Ida' })).status).toBe(401);
      expect((await service.get().callError('remove_person', { params: { person_id: person.id } })).status).toBe(404);
      const { body } = await service.get().call('list_people', { query: { status: 'removed' } });
      expect(body.data.map(({ id }) => id)).toContain(person.id);
    });

    it('removal records the end of the person and of each of their keys', async () => {
      const { person, session } = await service.get().addPerson('member', `Ilse ${newEmail()}`);
      const createOwnKey = async (name: string) =>
        (await service.get().call('create_api_key', { key: session, body: { name, kind: 'member' } })).body.id;
      const ended = await createOwnKey('Old');
      await service.get().call('delete_api_key', { key: session, params: { key_id: ended } });
      const key_ids = [await createOwnKey('Laptop'), await createOwnKey('Script')];
      await service.get().call('remove_person', { params: { person_id: person.id } });
      const { body } = await service.get().call('list_audit_events', { query: { limit: '3' } });
      expect(body.data.map(({ action, target, before }) => [action, target.id, before]).toReversed()).toEqual([
        ['person.removed', person.id, { role: 'member' }],
        ...key_ids.map((id) => ['key.revoked', id, { person_id: person.id }]),
      ]);
    });

    it('removal cancels queued work', async () => {
      const { person, session } = await service.get().addPerson('member', `Jana ${newEmail()}`);
      const order = { task: 'image.create', model: 'imgmodel-b-2', input: { prompt: 'x' } };
      const created = await service.get().call('create_generation', { key: session, body: order });
      await service.get().call('remove_person', { params: { person_id: person.id } });
      const { body } = await service.get().call('get_generation', { params: { generation_id: created.body.id } });
      expect(body.status).toBe('canceled');
    });

    describe('the last administrator', () => {
      const administer = async (names: readonly string[]) => {
        const { organization_id, key } = await service.get().addOrganization();
        const people = [];
        for (const name of names) {
          const { body: invited } = await service
            .get()
            .call('create_invitation', { key, body: { role: 'administrator' } });
          const joined = await accept(invited.url.split('#token=')[1] ?? '', { name });
          if (isErrorResponse(joined)) throw new Error(joined.error.message);
          const session = joined.body.secret ?? '';
          const { body: me } = await service.get().call('get_me', { key: session });
          people.push({ name, session, params: { person_id: me.person?.id ?? '' } });
        }
        const [first] = people;
        if (!first) throw new Error('Nobody joined.');
        return { organization_id, key, people, first };
      };
      const administrators = async (key: string) =>
        (await service.get().call('list_people', { key, query: { status: 'active' } })).body.data.filter(
          ({ role }) => role === 'administrator',
        ).length;
      const demote = (name: string, confirm_key?: string) => ({
        name,
        role: 'member' as const,
        ...(confirm_key === undefined ? {} : { confirm_key }),
      });

      it.each(['a program', 'herself'])('stays until the key that remains is named, by %s', async (by) => {
        const { key: program, first } = await administer(['Karla']);
        const { session, params } = first;
        const key = by === 'herself' ? session : program;
        for (const refused of [
          await service.get().callError('update_person', { key, params, body: demote('Karla') }),
          await service.get().callError('update_person', { key, params, body: demote('Karla', 'Another key') }),
          await service.get().callError('remove_person', { key, params }),
          await service.get().callError('remove_person', { key, params, query: { confirm_key: 'Another key' } }),
        ]) {
          expect(refused.status).toBe(422);
          expect(refused.error).toMatchObject({
            code: 'invalid_request',
            details: [{ path: 'confirm_key', message: expect.stringContaining('“Key”') }],
          });
        }
        expect(await administrators(program)).toBe(1);
        await service.get().call('update_person', { key, params, body: demote('Karla', ' Key ') });
        expect(await administrators(program)).toBe(0);
        const { body } = await service.get().call('list_audit_events', { key: program, query: { limit: '1' } });
        expect(body.data[0]).toMatchObject({
          action: 'person.updated',
          before: { role: 'administrator' },
          after: { role: 'member', remaining_key: 'Key' },
        });
        const keys = (await service.get().call('list_api_keys', { key: program })).body.data;
        const last = { key: program, params: { key_id: keys[0]?.id ?? '' } };
        expect((await service.get().callError('delete_api_key', last)).error.code).toBe('last_admin_key');
      });

      it('is removed once the key that remains is named', async () => {
        const { key, first } = await administer(['Karla']);
        await service.get().call('remove_person', { key, params: first.params, query: { confirm_key: 'Key' } });
        const { body } = await service.get().call('list_audit_events', { key, query: { limit: '1' } });
        expect(body.data[0]).toMatchObject({ action: 'person.removed', after: { remaining_key: 'Key' } });
      });

      it('stays while no key would remain that does everything for good', async () => {
        const { key, first } = await administer(['Karla']);
        const { session, params } = first;
        const { body: keys } = await service.get().call('list_api_keys', { key });
        const change = { key: session, params: { key_id: keys.data[0]?.id ?? '' } };
        const expires_at = new Date(service.get().deps.clock.now().getTime() + WEEK_MS).toISOString();
        await service.get().call('update_api_key', { ...change, body: { expires_at } });
        const refused = await service
          .get()
          .callError('update_person', { key: session, params, body: demote('Karla', 'Key') });
        expect(refused.error.code).toBe('last_administrator');
        expect(refused.error.details).toBeUndefined();
        await service.get().call('delete_api_key', change);
        expect((await service.get().callError('remove_person', { key: session, params })).status).toBe(409);
        expect(await administrators(session)).toBe(1);
      });

      it('is one of two who demote each other at once', async () => {
        const { key, people } = await administer(['Karla', 'Lena']);
        const [karla, lena] = people;
        if (!karla || !lena) throw new Error('Nobody joined.');
        await Promise.all([
          service.get().request('update_person', { key: karla.session, params: lena.params, body: demote('Lena') }),
          service.get().request('remove_person', { key: lena.session, params: karla.params }),
        ]);
        expect(await administrators(key)).toBe(1);
      });

      it('or a key remains where both are given up at once', async () => {
        const { key, first } = await administer(['Karla']);
        const { session, params } = first;
        const { body: keys } = await service.get().call('list_api_keys', { key });
        const keyParams = { key_id: keys.data[0]?.id ?? '' };
        const expires_at = new Date(service.get().deps.clock.now().getTime() + WEEK_MS).toISOString();
        const results = await Promise.all([
          service.get().request('update_person', { key: session, params, body: demote('Karla', 'Key') }),
          service.get().request('update_api_key', { key: session, params: keyParams, body: { expires_at } }),
        ]);
        expect(results.filter(({ status: code }) => code === 200)).toHaveLength(1);
      });
    });

    it('people of another organization look as if they did not exist', async () => {
      const { key } = await service.get().addOrganization();
      const { person } = await service.get().addPerson('member', `Lena ${newEmail()}`);
      const params = { person_id: person.id };
      expect((await service.get().callError('remove_person', { key, params })).status).toBe(404);
      expect((await service.get().callError('list_sessions', { key, query: params })).status).toBe(404);
      expect((await service.get().call('list_people', { key })).body.data).toEqual([]);
    });

    it('pages through people', async () => {
      for (let index = 0; index < 3; index += 1) await service.get().addPerson('viewer', newEmail());
      const first = (await service.get().call('list_people', { query: { limit: 2 } })).body;
      expect(first.has_more).toBe(true);
      const next = (await service.get().call('list_people', { query: { limit: 2, cursor: first.next_cursor ?? '' } }))
        .body;
      expect(next.data[0]?.id).not.toBe(first.data[1]?.id);
    });

    it('describes the roles', async () => {
      const { body } = await service.get().call('list_roles');
      expect(body.data.map(({ id }) => id)).toEqual(['administrator', 'member', 'auditor', 'viewer']);
      expect(body.data[3]?.permissions.map(({ id }) => id)).toEqual([
        'account.use',
        'account.manage',
        'work.read',
        'people.read',
      ]);
    });
  },
);
