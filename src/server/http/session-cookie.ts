import { fastifyCookie } from '@fastify/cookie';
import { SESSION_HEADER } from '#contract/api/headers.ts';
import { sessionCookieName } from '#contract/resources/session.ts';
import type { Config } from '#server/platform/core/settings/config.ts';
import { SESSION_TTL_MS } from '#server/accounts/keys/sessions.ts';
import type { NewSession } from '#server/accounts/keys/sessions.ts';
import type { SessionCreated } from '#contract/resources/session.ts';
import { createReply, type HandlerReply } from './handler.ts';

type CookieConfig = Pick<Config, 'publicUrl'>;
type Headers = Readonly<Record<string, string | string[] | undefined>>;

const readCookie = (name: string, headers: Headers): string | null =>
  typeof headers['cookie'] === 'string' ? (fastifyCookie.parse(headers['cookie'])[name] ?? null) : null;

const isHttps = ({ publicUrl }: CookieConfig): boolean => publicUrl.startsWith('https://');

const serializeCookie = (config: CookieConfig, name: string, value: string, maxAgeMs: number, path = '/'): string =>
  fastifyCookie.serialize(name, value, {
    path,
    httpOnly: true,
    sameSite: 'lax',
    secure: isHttps(config),
    maxAge: Math.round(maxAgeMs / 1000),
  });

export const readSessionCookie = (config: CookieConfig, headers: Headers): string | null =>
  readCookie(sessionCookieName(config.publicUrl), headers);

export const serializeSessionCookie = (config: CookieConfig, secret: string): string =>
  serializeCookie(config, sessionCookieName(config.publicUrl), secret, SESSION_TTL_MS);

export const clearSessionCookie = (config: CookieConfig): string =>
  serializeCookie(config, sessionCookieName(config.publicUrl), '', 0);

const oidcCookieName = (config: CookieConfig): string => `${isHttps(config) ? '__Host-' : ''}emulsion_oidc`;

/** Ties a sign-in at the identity provider to the browser that began it. */
export const readOidcCookie = (config: CookieConfig, headers: Headers): string | null =>
  readCookie(oidcCookieName(config), headers);

/** @param maxAgeMs 0: removes the cookie */
export const serializeOidcCookie = (config: CookieConfig, text: string, maxAgeMs: number): string =>
  serializeCookie(config, oidcCookieName(config), text, maxAgeMs);

const SHARE_COOKIE = 'emulsion_client';
const SHARE_COOKIE_TTL_MS = 90 * 86_400_000;

/** Names who answers on one share page. Decision: Client answers */
export const readShareCookie = (headers: Headers): string | null => readCookie(SHARE_COOKIE, headers);

/** @param text null: removes the cookie */
export const serializeShareCookie = (config: CookieConfig, path: string, text: string | null): string =>
  serializeCookie(config, SHARE_COOKIE, text ?? '', text === null ? 0 : SHARE_COOKIE_TTL_MS, path);

/** Responds with a new session: with its secret in a cookie if the request asks for one. */
export function replySession(
  config: CookieConfig,
  { headers }: { headers: Headers },
  session: NewSession,
): SessionCreated | HandlerReply<SessionCreated> {
  if (headers[SESSION_HEADER.toLowerCase()] !== 'cookie') return session;
  return createReply({ ...session, secret: null }, { 'set-cookie': serializeSessionCookie(config, session.secret) });
}
