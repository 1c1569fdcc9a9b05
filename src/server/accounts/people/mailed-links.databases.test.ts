import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { describeOnBothDatabases } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { startMailer } from '#server/platform/mail/start-mailer.ts';
import { type FakeMailServer, startFakeMailServer } from '#server/app/testing/fake-mail-server.ts';
import { createSoftwareAuthenticator } from '#server/app/testing/software-authenticator.ts';
import { isErrorResponse } from '#server/app/testing/test-client.ts';
import { createTestService } from '#server/app/testing/test-service.ts';
import { startSignInLinks } from './mail-sign-in-link.ts';

let server: FakeMailServer;
beforeAll(async () => {
  server = await startFakeMailServer();
});
beforeEach(() => {
  server.received.length = 0;
});
afterAll(() => server.close());

describeOnBothDatabases(
  'mailed links',
  () => ({ config: { mail: { smtp_url: server.url, from: 'studio@example.com' } } }),
  (service) => {
    let stops: (() => Promise<void>)[] = [];
    beforeAll(async () => {
      const { deps } = service.get();
      stops = [await startMailer(deps), await startSignInLinks(deps)];
    });
    afterAll(async () => {
      await Promise.all(stops.map((stop) => stop()));
    });
    const request = (email: string) => service.get().request('mail_sign_in_link', { key: null, body: { email } });
    const receivedMail = async () => {
      await expect.poll(() => server.received.length).toBe(1);
      return server.received[0];
    };

    it('sign in the person with this address, once', async () => {
      await service.get().addPerson('member', 'Olga');
      expect((await request('Olga@Example.com')).status).toBe(204);
      const mail = await receivedMail();
      expect(mail?.to).toEqual(['olga@example.com']);
      const [, token = ''] = /#token=(mgs_lnk_[\w-]+)/.exec(mail?.text ?? '') ?? [];
      const signIn = () => service.get().request('sign_in', { key: null, body: { token } });
      const signedIn = await signIn();
      if (isErrorResponse(signedIn)) throw new Error(signedIn.error.message);
      const { body } = await service.get().call('get_me', { key: signedIn.body.secret ?? '' });
      expect(body.person).toMatchObject({ email: 'olga@example.com' });
      expect((await signIn()).status).toBe(401);
    });

    it('get the same answer for an unknown address, which gets no mail', async () => {
      await service.get().addPerson('member', 'Paula');
      const answers = [await request('nobody@example.com'), await request('paula@example.com')];
      expect(answers.map(({ status }) => status)).toEqual([204, 204]);
      expect((await receivedMail())?.to).toEqual(['paula@example.com']);
    });

    describe('a new mail address', () => {
      const linkTo = async (email: string) => {
        const find = () => server.received.find(({ to, text }) => to.includes(email) && text.includes('#token='));
        await expect.poll(find).toBeDefined();
        return /#token=(mgs_\w{3}_[\w-]+)/.exec(find()?.text ?? '')?.[1] ?? '';
      };
      const change = (session: string, email: string | null) =>
        service.get().request('update_me', { key: session, body: { name: 'Name', email } });
      const confirm = (session: string, token: string) =>
        service.get().request('confirm_email', { key: session, body: { token } });
      const emailsOf = async (session: string) => {
        const { person } = (await service.get().call('get_me', { key: session })).body;
        return [person?.email, person?.pending_email];
      };

      it('waits until its link is opened, and the previous one is told', async () => {
        const { session } = await service.get().addPerson('administrator', 'Tilda');
        await change(session, 'Tilda.New@example.com');
        expect(await emailsOf(session)).toEqual(['tilda@example.com', 'tilda.new@example.com']);
        const token = await linkTo('tilda.new@example.com');
        const { session: other } = await service.get().addPerson('member', 'Udo');
        expect((await confirm(other, token)).status).toBe(400);
        expect((await service.get().request('sign_in', { key: null, body: { token } })).status).toBe(401);
        expect((await confirm(session, token)).status).toBe(200);
        expect(await emailsOf(session)).toEqual(['tilda.new@example.com', null]);
        expect((await confirm(session, token)).status).toBe(400);
        const told = () => server.received.find(({ to }) => to.includes('tilda@example.com'))?.text;
        await expect.poll(told).toMatch(/was changed to tilda\.new@example\.com/);
      });

      it('blocks nobody and gets no sign-in link while it waits', async () => {
        const { session: mallory } = await service.get().addPerson('member', 'Mallory');
        await change(mallory, 'cfo@example.com');
        const stolen = await linkTo('cfo@example.com');
        server.received.length = 0;
        await request('cfo@example.com');
        const invitation = { email: 'cfo@example.com', role: 'administrator' as const };
        const { body: invited } = await service.get().call('create_invitation', { body: invitation });
        expect((await linkTo('cfo@example.com')).startsWith('mgs_inv_')).toBe(true);
        const token = invited.url.split('#token=')[1] ?? '';
        const accepted = await service.get().call('accept_invitation', { key: null, body: { token, name: 'CFO' } });
        expect(await emailsOf(accepted.body.secret ?? '')).toEqual(['cfo@example.com', null]);
        expect((await confirm(mallory, stolen)).status).toBe(409);
        server.received.length = 0;
        await request('cfo@example.com');
        const signedIn = await service
          .get()
          .call('sign_in', { key: null, body: { token: await linkTo('cfo@example.com') } });
        const { body } = await service.get().call('get_me', { key: signedIn.body.secret ?? '' });
        expect(body.person?.name).toBe('CFO');
      });

      it('is canceled, replaced and mailed again', async () => {
        const { session } = await service.get().addPerson('member', 'Vera');
        await change(session, 'vera.typo@example.com');
        const replaced = await linkTo('vera.typo@example.com');
        await change(session, 'vera.new@example.com');
        const first = await linkTo('vera.new@example.com');
        expect((await confirm(session, replaced)).status).toBe(400);
        server.received.length = 0;
        await service.get().call('resend_email_confirmation', { key: session });
        expect(await linkTo('vera.new@example.com')).not.toBe(first);
        await service.get().call('cancel_pending_email', { key: session });
        expect((await confirm(session, first)).status).toBe(400);
        expect(await emailsOf(session)).toEqual(['vera@example.com', null]);
        expect((await service.get().callError('resend_email_confirmation', { key: session })).status).toBe(400);
      });

      it('that an invitation does not name waits, too', async () => {
        const { body } = await service.get().call('create_invitation', { body: { role: 'member' } });
        const token = body.url.split('#token=')[1] ?? '';
        const draft = { token, name: 'Wanda', email: 'wanda@example.com' };
        const accepted = await service.get().call('accept_invitation', { key: null, body: draft });
        const session = accepted.body.secret ?? '';
        expect(await emailsOf(session)).toEqual([null, 'wanda@example.com']);
        await confirm(session, await linkTo('wanda@example.com'));
        expect(await emailsOf(session)).toEqual(['wanda@example.com', null]);
      });

      it('ends the links that were mailed to the previous one', async () => {
        const { session } = await service.get().addPerson('member', 'Xenia');
        await request('xenia@example.com');
        const token = await linkTo('xenia@example.com');
        server.received.length = 0;
        await change(session, null);
        expect((await receivedMail())?.text).toContain('was removed');
        expect((await service.get().request('sign_in', { key: null, body: { token } })).status).toBe(401);
      });
    });

    it('tell a person that a passkey was added', async () => {
      const { session } = await service.get().addPerson('member', 'Yara');
      const { body: options } = await service.get().call('start_passkey_registration', { key: session });
      const authenticator = createSoftwareAuthenticator('localhost', service.get().deps.config.publicUrl);
      const body = { name: 'Laptop', credential: authenticator.register(options.challenge) };
      await service.get().call('create_passkey', { key: session, body });
      const text = () => server.received.find(({ to }) => to.includes('yara@example.com'))?.text;
      await expect.poll(text).toContain('The passkey “Laptop” was added to your account');
    });

    it('are limited per address', async () => {
      const statuses = [];
      for (let index = 0; index < 6; index += 1) statuses.push((await request('rosa@example.com')).status);
      expect(statuses).toEqual([204, 204, 204, 204, 204, 429]);
    });

    it('invite a person', async () => {
      const body = { email: 'sara@example.com', role: 'viewer' as const };
      const created = await service.get().call('create_invitation', { body });
      expect(created.body.is_mailed).toBe(true);
      expect((await receivedMail())?.text).toContain(created.body.url);
    });
  },
);

it('are refused where no mail is set up', async () => {
  const service = await createTestService();
  const answer = await service.callError('mail_sign_in_link', { key: null, body: { email: 'a@example.com' } });
  expect(answer.status).toBe(400);
  expect((await service.call('list_sign_in_methods', { key: null })).body).toEqual({
    object: 'sign_in_methods',
    mail: false,
    passkey: true,
    oidc: null,
  });
  await service.close();
});
