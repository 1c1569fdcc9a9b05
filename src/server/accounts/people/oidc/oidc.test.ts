import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { and, eq } from 'drizzle-orm';
import { auditEvents } from '#server/platform/db/schema/audit-schema.ts';
import { people } from '#server/platform/db/schema/people-schema.ts';
import { freePort } from '#server/app/testing/free-port.ts';
import {
  type FakeOidcProvider,
  type OidcAccount,
  startFakeOidcProvider,
} from '#server/app/testing/fake-oidc-provider.ts';
import { recordEmailTrust } from './record-email-trust.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';

let provider: FakeOidcProvider;
let service: TestService;
let origin: string;
beforeAll(async () => {
  const port = await freePort();
  origin = `http://localhost:${port}`;
  provider = await startFakeOidcProvider(`${origin}/v1/sign-in/oidc/callback`);
  const { issuer, client_id, client_secret } = provider;
  const oidc = {
    issuer,
    client_id,
    client_secret,
    name: 'Company login',
    allowed_domains: ['example.com'],
    role_claim: 'groups',
    role_map: new Map([['finance', 'auditor' as const]]),
    default_role: 'viewer' as const,
    trusts_email: false,
  };
  service = await createTestService({ config: { publicUrl: origin, port, oidc } });
  await service.app.listen({ port, host: 'localhost' });
});
afterAll(async () => {
  await service.close();
  await provider.close();
});

/** A browser without pages: it keeps cookies by host and follows redirects. */
function createBrowser() {
  const jars = new Map<string, Map<string, string>>();
  const jarOf = (url: string) => {
    const { host } = new URL(url);
    const jar = jars.get(host) ?? new Map<string, string>();
    jars.set(host, jar);
    return jar;
  };
  async function open(url: string): Promise<Response> {
    const jar = jarOf(url);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /max-age=0/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }
  return {
    open,
    cookies: () => jarOf(origin),
    /** Follows redirects until `isLast`. @returns the URL of the last redirect */
    async follow(start: string, isLast: (url: string) => boolean): Promise<string> {
      let url = start;
      for (let step = 0; step < 12; step += 1) {
        const response = await open(url);
        const location = response.headers.get('location');
        if (location === null) throw new Error(`${url}: ${response.status} ${await response.text()}`);
        url = new URL(location, url).href;
        if (isLast(url)) return url;
      }
      throw new Error('Too many redirects.');
    },
  };
}

const START = '/v1/sign-in/oidc?from=%2Flibrary';
const isCallback = (url: string) => url.includes('/v1/sign-in/oidc/callback');
const isPage = (url: string) => url.startsWith(origin) && !url.includes('/v1/');

async function signIn(account: OidcAccount, browser = createBrowser(), userInfo?: Omit<OidcAccount, 'sub'>) {
  provider.signInAs(account, userInfo);
  const page = await browser.follow(origin + START, isPage);
  const cookie = browser.cookies().get('emulsion_session');
  const me =
    cookie === undefined
      ? null
      : await service.app.inject({ url: '/v1/me', headers: { cookie: `emulsion_session=${cookie}` } });
  return { page, person: me?.json<{ person: { id: string; email: string; role: string } }>().person };
}
const anna = { sub: 'anna', email: 'Anna@example.com', email_verified: true, name: 'Anna' };
const errorPage = (code: string) => `${origin}/sign-in?error=${code}`;

describe('a sign-in at the identity provider', () => {
  beforeEach(async () => {
    const { deps, organization_id } = service;
    await deps.db
      .update(people)
      .set({ removed_at: deps.clock.now() })
      .where(eq(people.organization_id, organization_id));
    await deps.db.update(people).set({ email: null, oidc_subject: null });
  });

  it('creates a person of an allowed domain and returns to the page', async () => {
    const { page, person } = await signIn(anna);
    expect(page).toBe(`${origin}/library`);
    expect(person).toMatchObject({ email: 'anna@example.com', role: 'viewer' });
    expect((await signIn({ ...anna, email: 'anna.new@example.com' })).person?.id).toBe(person?.id);
  });

  it('takes the role from a claim, also later', async () => {
    expect((await signIn({ ...anna, groups: ['staff', 'finance'] })).person?.role).toBe('auditor');
    expect((await signIn(anna)).person?.role).toBe('auditor');
  });

  it('counts no group that only has the name of a role, where roles are mapped', async () => {
    expect((await signIn({ ...anna, groups: ['administrator', 'member'] })).person?.role).toBe('viewer');
  });

  it('takes the address and its verification from one source, and the role from the ID token first', async () => {
    const userInfo = { email: 'anna@example.com', email_verified: true, groups: ['finance'] };
    const signInWith = (idToken: Record<string, unknown>, info: Record<string, unknown>) =>
      signIn({ sub: 'anna', ...idToken }, createBrowser(), info);
    const unverified = errorPage('oidc_email_unverified');
    expect((await signInWith({ email_verified: true }, { ...userInfo, email_verified: false })).page).toBe(unverified);
    expect((await signInWith({ email: 'anna@example.com' }, userInfo)).page).toBe(unverified);
    expect((await signInWith({ groups: ['staff'] }, userInfo)).person?.role).toBe('viewer');
    expect((await signInWith({ email: 'anna@example.com', email_verified: true }, userInfo)).person?.role).toBe(
      'auditor',
    );
  });

  it('refuses an address with a letter that only looks like another, and cleans the name', async () => {
    await service.addPerson('administrator', 'Kate');
    const kelvin = { ...anna, email: '\u212Aate@example.com' };
    expect((await signIn(kelvin)).page).toBe(errorPage('oidc_email_unverified'));
    const name = 'Anna,\n\u202Eyour account\u2028is locked';
    const { person } = await signIn({ ...anna, name });
    expect(person).toMatchObject({ name: 'Anna, your account is locked' });
  });

  it('keeps the last administrator, whatever the claim says, and records it', async () => {
    const { body: invited } = await service.call('create_invitation', {
      body: { email: 'anna@example.com', role: 'administrator' },
    });
    expect(invited.role).toBe('administrator');
    const { person } = await signIn(anna);
    expect(person?.role).toBe('administrator');
    expect((await signIn({ ...anna, groups: ['finance'] })).person).toMatchObject({ role: 'administrator' });
    const { body } = await service.call('list_audit_events', { query: { action: 'person', limit: '1' } });
    expect(body.data[0]).toMatchObject({
      action: 'person.role_kept',
      target: { id: person?.id },
      before: { role: 'administrator' },
      after: { claimed_role: 'auditor' },
    });
    await service.addPerson('administrator', 'Berta');
    expect((await signIn({ ...anna, groups: ['finance'] })).person?.role).toBe('auditor');
  });

  it('finds a person by a confirmed mail address, and nobody by a pending one', async () => {
    const { person } = await service.addPerson('auditor', 'Anna');
    const { person: pending } = await service.addPerson('member', 'Mallory');
    await service.deps.db.update(people).set({ pending_email: 'anna@example.com' }).where(eq(people.id, pending.id));
    expect((await signIn(anna)).person).toMatchObject({ id: person.id, role: 'auditor' });
    expect((await signIn({ ...anna, sub: 'another' })).page).toBe(errorPage('oidc_not_invited'));
  });

  it('accepts an invitation of the mail address, which is pending for somebody else', async () => {
    const { person } = await service.addPerson('member', 'Mallory');
    await service.deps.db
      .update(people)
      .set({ email: null, pending_email: 'anna@example.com' })
      .where(eq(people.id, person.id));
    await service.call('create_invitation', { body: { email: 'anna@example.com', role: 'member' } });
    expect((await signIn(anna)).person?.role).toBe('member');
    const { body } = await service.call('list_invitations', { query: { status: 'pending' } });
    expect(body.data).toEqual([]);
  });

  it('refuses a removed person', async () => {
    const { person } = await signIn(anna);
    await service.call('remove_person', { params: { person_id: person?.id ?? '' } });
    expect((await signIn(anna)).page).toBe(errorPage('oidc_removed'));
  });

  it.each([
    ['an unverified mail address', { ...anna, email_verified: false }, 'oidc_email_unverified'],
    ['no mail address', { sub: 'anna' }, 'oidc_email_unverified'],
    ['a mail address of another domain', { ...anna, email: 'anna@example.com.evil.test' }, 'oidc_domain'],
  ])('refuses %s, and records it', async (_case, account, code) => {
    const browser = createBrowser();
    expect((await signIn(account, browser)).page).toBe(errorPage(code));
    expect([...browser.cookies().keys()]).toEqual([]);
    const { action, after } = auditEvents;
    const failures = await service.deps.db.select({ after }).from(auditEvents).where(eq(action, 'sign_in.failed'));
    expect(failures).toContainEqual({ after: { cause: code } });
  });

  it('reports that the person ended the sign-in', async () => {
    provider.deny();
    const page = await createBrowser().follow(origin + START, isPage);
    expect(page).toBe(errorPage('oidc_denied'));
  });

  it('refuses a wrong state', async () => {
    provider.signInAs(anna);
    const browser = createBrowser();
    const callback = new URL(await browser.follow(origin + START, isCallback));
    callback.searchParams.set('state', 'x'.repeat(43));
    expect((await browser.open(callback.href)).headers.get('location')).toBe('/sign-in?error=oidc_failed');
    expect(browser.cookies().has('emulsion_session')).toBe(false);
  });

  it('refuses a replayed callback and one of another browser', async () => {
    provider.signInAs(anna);
    const [browser, stranger] = [createBrowser(), createBrowser()];
    const callback = await browser.follow(origin + START, isCallback);
    expect((await stranger.open(callback)).headers.get('location')).toBe('/sign-in?error=oidc_expired');
    const before = new Map(browser.cookies());
    expect((await browser.open(callback)).headers.get('location')).toBe('/library');
    for (const [name, value] of before) browser.cookies().set(name, value);
    expect((await browser.open(callback)).headers.get('location')).toBe('/sign-in?error=oidc_expired');
  });

  it('expires after ten minutes', async () => {
    provider.signInAs(anna);
    const browser = createBrowser();
    const callback = await browser.follow(origin + START, isCallback);
    service.deps.clock.advance(600_000);
    expect((await browser.open(callback)).headers.get('location')).toBe('/sign-in?error=oidc_expired');
  });
});

it('records once that addresses are trusted without verification, and once that they no longer are', async () => {
  const { deps } = service;
  const { oidc } = deps.config;
  if (!oidc) throw new Error('The service has no identity provider.');
  const startWith = (trusts_email: boolean) =>
    recordEmailTrust({ ...deps, config: { ...deps.config, oidc: { ...oidc, trusts_email } } });
  for (const trusts_email of [false, true, true, false, false]) await startWith(trusts_email);
  const { body } = await service.call('list_audit_events', {
    query: { action: 'installation.email_trust_changed' },
  });
  expect(body.data.map(({ before, after }) => ({ before, after }))).toEqual([
    { before: { trusted_issuer: oidc.issuer }, after: { trusted_issuer: null } },
    { before: { trusted_issuer: null }, after: { trusted_issuer: oidc.issuer } },
  ]);
});

it('records who joined and who signed in', async () => {
  const { person } = await signIn({ ...anna, sub: 'berta', email: 'berta@example.com' });
  const isBerta = and(eq(auditEvents.actor_id, person?.id ?? ''), eq(auditEvents.actor_type, 'person'));
  const events = await service.deps.db.select().from(auditEvents).where(isBerta);
  expect(events.map(({ action }) => action).sort()).toEqual(['person.joined', 'sign_in.succeeded']);
  expect(events.find(({ action }) => action === 'sign_in.succeeded')?.after).toEqual({ method: 'oidc' });
});

it.each(['//evil.test', 'https://evil.test', '/\\evil.test', 'library'])('refuses to return to %s', async (from) => {
  const { status } = await service.callError('start_oidc_sign_in', { key: null, query: { from } });
  expect(status).toBe(422);
});
