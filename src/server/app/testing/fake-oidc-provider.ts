import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** Who signs in at the provider. */
export interface OidcAccount {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
  [claim: string]: unknown;
}

/** A real OpenID provider on a free port of this machine, which signs everybody in as `account` without a page. */
export interface FakeOidcProvider {
  issuer: string;
  client_id: string;
  client_secret: string;
  /** @param userInfo claims of the user info endpoint; by default those of the ID token */
  signInAs(account: OidcAccount, userInfo?: Omit<OidcAccount, 'sub'>): void;
  /** The person ends the sign-in at the provider. */
  deny(): void;
  close(): Promise<void>;
}

const CLIENT = { client_id: 'emulsion', client_secret: 'a-secret-of-the-tests-that-is-long-enough' };

/** @param redirect_uri `{service}/v1/sign-in/oidc/callback` */
export async function startFakeOidcProvider(redirect_uri: string): Promise<FakeOidcProvider> {
  let account: OidcAccount | null = null;
  let userInfo: Omit<OidcAccount, 'sub'> = {};
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [{ ...CLIENT, redirect_uris: [redirect_uri], grant_types: ['authorization_code'] }],
    pkce: { required: () => true },
    conformIdTokenClaims: false,
    claims: { openid: ['sub'], email: ['email', 'email_verified', 'xms_edov'], profile: ['name', 'groups'] },
    features: { devInteractions: { enabled: false } },
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    cookies: { keys: ['a key of the tests'] },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: async (use) => {
        if (account?.sub !== sub) return { sub };
        return use === 'userinfo' ? { ...userInfo, sub } : account;
      },
    }),
  });
  const handle = provider.callback();
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void handle(request, response);
    finishInteraction(provider, request, response, account).catch((error: unknown) => {
      response.statusCode = 500;
      response.end(String(error));
    });
  });
  return {
    issuer,
    ...CLIENT,
    signInAs(next, more = next) {
      account = next;
      userInfo = more;
    },
    deny() {
      account = null;
    },
    close: () => closeServer(server),
  };
}

async function finishInteraction(
  provider: Provider,
  request: Parameters<Provider['interactionDetails']>[0],
  response: Parameters<Provider['interactionDetails']>[1],
  account: OidcAccount | null,
): Promise<void> {
  if (!account) {
    const denied = { error: 'access_denied', error_description: 'The person ended the sign-in.' };
    return provider.interactionFinished(request, response, denied);
  }
  const { prompt, params, grantId } = await provider.interactionDetails(request, response);
  if (prompt.name === 'login') {
    return provider.interactionFinished(request, response, { login: { accountId: account.sub, remember: false } });
  }
  const client_id = String(params['client_id']);
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  const grant = known ?? new provider.Grant({ accountId: account.sub, clientId: client_id });
  grant.addOIDCScope('openid email profile');
  await provider.interactionFinished(
    request,
    response,
    { consent: { grantId: await grant.save() } },
    { mergeWithLastSubmission: true },
  );
}

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.closeAllConnections();
    server.close(() => resolve());
  });
