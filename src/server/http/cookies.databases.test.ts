import { describe, expect, it } from 'vitest';
import { sql } from 'drizzle-orm';
import { createApp } from './create-app.ts';
import { describeOnBothDatabases } from '#server/studio/generations/testing/shared-service-fixture.ts';

const DAY_MS = 86_400_000;

describeOnBothDatabases(
  'a session in a cookie',
  () => ({ config: { publicUrl: 'https://studio.example.com' } }),
  (service) => {
    const inject = (method: 'GET' | 'POST' | 'DELETE', url: string, headers: Record<string, string>) =>
      service.get().app.inject({ method, url, headers });
    const openSession = async (key = service.get().keys.member) => {
      const headers = { authorization: `Bearer ${key}`, 'emulsion-session': 'cookie' };
      const response = await inject('POST', '/v1/session', headers);
      return { response, cookie: String(response.headers['set-cookie']).split(';')[0] ?? '' };
    };
    const statusOf = async (cookie: string) => (await inject('GET', '/v1/me', { cookie })).statusCode;
    const cookieOf = async (cookie: string) => (await inject('GET', '/v1/me', { cookie })).headers['set-cookie'];

    it('is set on request, and its secret is not in the body', async () => {
      const { response, cookie } = await openSession();
      expect(response.json()).toMatchObject({ object: 'session', secret: null });
      expect(response.headers['set-cookie']).toMatch(
        /^__Host-emulsion_session=mgs_ses_[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      );
      expect(await statusOf(cookie)).toBe(200);
    });

    it('loses against a bearer credential', async () => {
      const { cookie } = await openSession();
      const response = await inject('GET', '/v1/me', { cookie, authorization: 'Bearer mgs_org_unknown' });
      expect(response.statusCode).toBe(401);
    });

    it('is removed by signing out', async () => {
      const { cookie } = await openSession();
      const response = await inject('DELETE', '/v1/session', { cookie, 'sec-fetch-site': 'same-origin' });
      expect(response.statusCode).toBe(204);
      expect(response.headers['set-cookie']).toMatch(/^__Host-emulsion_session=; Max-Age=0;/);
      const after = await inject('GET', '/v1/me', { cookie });
      expect(after.json()).toMatchObject({ error: { message: 'Your session has ended. Sign in again.' } });
    });

    describe('changes something only for pages of the service', () => {
      it.each([
        [{ 'sec-fetch-site': 'same-origin' }, 204],
        [{ origin: 'https://studio.example.com' }, 204],
        [{ origin: 'http://localhost:80', host: 'localhost:80' }, 204],
        [{ 'sec-fetch-site': 'cross-site', origin: 'https://studio.example.com' }, 401],
        [{ 'sec-fetch-site': 'same-site' }, 401],
        [{ 'sec-fetch-site': 'none' }, 401],
        [{ origin: 'https://evil.test' }, 401],
        [{ origin: 'null' }, 401],
        [{}, 401],
      ])('with %j: %i', async (headers, expected) => {
        const { cookie } = await openSession();
        const response = await inject('DELETE', '/v1/sessions', { cookie, ...headers } as Record<string, string>);
        expect(response.statusCode).toBe(expected);
        if (expected === 401) expect(response.json()).toMatchObject({ error: { code: 'authentication_error' } });
        expect(await statusOf(cookie)).toBe(200);
      });

      it('also for resumable uploads', async () => {
        const { cookie } = await openSession();
        const tus = { 'tus-resumable': '1.0.0', 'upload-length': '10', cookie };
        const url = '/v1/uploads/resumable';
        expect((await inject('POST', url, { ...tus, origin: 'https://evil.test' })).statusCode).toBe(401);
        expect((await inject('POST', url, { ...tus, 'sec-fetch-site': 'same-origin' })).statusCode).toBe(201);
      });
    });

    it('gets a new secret daily; the previous one works for a minute, and then no more', async () => {
      const { clock } = service.get().deps;
      const { cookie } = await openSession();
      expect(await cookieOf(cookie)).toBeUndefined();
      clock.advance(DAY_MS);
      const answers = await Promise.all([1, 2, 3].map(() => inject('GET', '/v1/me', { cookie })));
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
      const renewed = String(await cookieOf(cookie)).split(';')[0] ?? '';
      expect(renewed).not.toBe(cookie);
      const sent = answers.flatMap(({ headers }) => headers['set-cookie'] ?? []).map((line) => line.split(';')[0]);
      expect(new Set(sent)).toEqual(new Set([renewed]));
      expect(await statusOf(renewed)).toBe(200);
      clock.advance(60_000);
      expect(await statusOf(cookie)).toBe(401);
      expect(await statusOf(renewed)).toBe(200);
    });

    it('is known to every process, with its new secret and to its end', async () => {
      const second = await createApp(service.get().deps);
      const { cookie } = await openSession();
      service.get().deps.clock.advance(DAY_MS);
      const response = await second.inject({ url: '/v1/me', headers: { cookie } });
      const renewed = String(response.headers['set-cookie']).split(';')[0] ?? '';
      expect(await statusOf(renewed)).toBe(200);
      expect(String(await cookieOf(cookie)).split(';')[0]).toBe(renewed);
      await inject('DELETE', '/v1/session', { cookie: renewed, 'sec-fetch-site': 'same-origin' });
      for (const text of [cookie, renewed])
        expect((await second.inject({ url: '/v1/me', headers: { cookie: text } })).statusCode).toBe(401);
      await second.close();
    });

    it('is in the list of open sessions and can be ended there', async () => {
      const { session } = await service.get().addPerson('member', 'Mona');
      const { session: other } = await service.get().addPerson('member', 'Nina');
      const headers = { 'user-agent': 'Test browser' };
      const listed = (await service.get().call('list_sessions', { key: session, headers })).body.data;
      expect(listed).toMatchObject([{ method: 'link', is_current: true }]);
      const params = { session_id: listed[0]?.id ?? '' };
      expect((await service.get().callError('end_session', { key: other, params })).status).toBe(404);
      await service.get().call('end_session', { params });
      expect((await service.get().request('get_me', { key: session })).status).toBe(401);
    });

    it('stores no secret, and records each sign-in', async () => {
      const { cookie } = await openSession();
      const { db } = service.get().deps;
      const { rows } = (await db.execute(
        sql`select to_jsonb(sessions)::text as row from sessions union all select to_jsonb(audit_events)::text from audit_events`,
      )) as { rows: { row: string }[] };
      const dump = JSON.stringify(rows);
      expect(dump).not.toContain(cookie.split('mgs_ses_')[1] ?? '');
      expect(dump).toContain('sign_in.succeeded');
    });
  },
);
