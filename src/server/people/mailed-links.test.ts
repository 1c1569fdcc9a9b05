import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeOnBothDatabases } from '#server/generations/testing/shared-service-fixture.ts';
import { startMailer } from '#server/mail/start-mailer.ts';
import { type FakeMailServer, startFakeMailServer } from '#server/testing/fake-mail-server.ts';
import { isErrorResponse } from '#server/testing/test-client.ts';
import { createTestService } from '#server/testing/test-service.ts';
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
      await expect.poll(() => server.received.length, { timeout: 15_000 }).toBe(1);
      return server.received[0];
    };

    it('sign in the person with this address, once', async () => {
      await service.get().addPerson('member', 'Olga');
      expect((await request('Olga@Example.com')).status).toBe(204);
      const mail = await receivedMail();
      expect(mail?.to).toEqual(['olga@example.com']);
      const [, token = ''] = /#token=(mgs_lnk_[\w-]+)/.exec(mail?.text ?? '') ?? [];
      const signIn = () => service.get().request('sign_in', { key: null, body: { token } });
      const signed_in = await signIn();
      if (isErrorResponse(signed_in)) throw new Error(signed_in.error.message);
      const { body } = await service.get().call('get_me', { key: signed_in.body.secret ?? '' });
      expect(body.person).toMatchObject({ email: 'olga@example.com' });
      expect((await signIn()).status).toBe(401);
    });

    it('get the same answer for an unknown address, which gets no mail', async () => {
      await service.get().addPerson('member', 'Paula');
      const answers = [await request('nobody@example.com'), await request('paula@example.com')];
      expect(answers.map(({ status }) => status)).toEqual([204, 204]);
      expect((await receivedMail())?.to).toEqual(['paula@example.com']);
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
