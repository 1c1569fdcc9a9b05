import * as z from 'zod/mini';
import { line } from '../one-line.ts';
import { defineEndpoints, INVALID_REQUEST } from '#contract/api/endpoint.ts';
import { listSchema, timestamp } from '../primitives.ts';

/** A credential id has at most 1,023 bytes. */
const MAX_CREDENTIAL_ID = 1364;
const MAX_CREDENTIAL_TEXT = 20_000;
const base64url = (max: number) => z.string().check(z.regex(/^[A-Za-z0-9_-]+$/), z.maxLength(max));
const passkeyId = () => base64url(MAX_CREDENTIAL_ID);

/** How a browser reaches an authenticator. */
export const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

export const Passkey = z.strictObject({
  /** The credential id of the authenticator. */
  id: z.string(),
  object: z.literal('passkey'),
  name: z.string(),
  /** Whether the authenticator keeps a copy on other devices. */
  is_backed_up: z.boolean(),
  created_at: timestamp(),
  last_used_at: z.nullable(timestamp()),
});
export type Passkey = z.infer<typeof Passkey>;

/** For `navigator.credentials.get`, in the JSON form of WebAuthn. Works once, within 5 minutes. */
export const PasskeyRequestOptions = z.strictObject({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  userVerification: z.literal('required'),
});
export type PasskeyRequestOptions = z.infer<typeof PasskeyRequestOptions>;

/** For `navigator.credentials.create`, in the JSON form of WebAuthn. Works once, within 5 minutes. */
export const PasskeyCreationOptions = z.strictObject({
  challenge: z.string(),
  rp: z.strictObject({ id: z.string(), name: z.string() }),
  user: z.strictObject({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.strictObject({ alg: z.int(), type: z.literal('public-key') })),
  timeout: z.int(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(
    z.strictObject({ id: z.string(), type: z.literal('public-key'), transports: z.array(z.enum(TRANSPORTS)) }),
  ),
  authenticatorSelection: z.strictObject({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
});
export type PasskeyCreationOptions = z.infer<typeof PasskeyCreationOptions>;

const credentialFields = {
  id: passkeyId(),
  rawId: passkeyId(),
  type: z.literal('public-key'),
};
const credentialText = () => base64url(MAX_CREDENTIAL_TEXT);

/** What a browser returns for `PasskeyCreationOptions`; further properties are ignored. */
const RegisteredCredential = z.object({
  ...credentialFields,
  response: z.object({
    clientDataJSON: credentialText(),
    attestationObject: credentialText(),
    transports: z.optional(z.array(z.string().check(z.maxLength(40))).check(z.maxLength(20))),
  }),
});
export type RegisteredCredential = z.infer<typeof RegisteredCredential>;

/** What a browser returns for `PasskeyRequestOptions`; further properties are ignored. */
const SignInCredential = z.object({
  ...credentialFields,
  response: z.object({
    clientDataJSON: credentialText(),
    authenticatorData: credentialText(),
    signature: credentialText(),
    userHandle: z.optional(z.nullable(z.string().check(z.maxLength(200)))),
  }),
});
export type SignInCredential = z.infer<typeof SignInCredential>;

const passkeyName = () => line(80);
const PasskeyUpdate = z.strictObject({ name: passkeyName() });
const PasskeyCreate = z.strictObject({
  name: passkeyName(),
  credential: RegisteredCredential,
});
export const PasskeySignIn = z.strictObject({ credential: SignInCredential });

/** Only for people; a program has no passkeys. Decision: Sign-in */
export const passkeyEndpoints = defineEndpoints('Sessions', {
  list_passkeys: {
    summary: 'List one’s own passkeys, newest first; at most 20',
    status: 200,
    response: listSchema(Passkey),
    errors: { 400: INVALID_REQUEST },
  },
  start_passkey_registration: {
    summary: 'Start to add a passkey',
    status: 200,
    response: PasskeyCreationOptions,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
  },
  create_passkey: {
    summary: 'Add a passkey',
    body: PasskeyCreate,
    status: 201,
    response: Passkey,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
  },
  update_passkey: {
    summary: 'Rename a passkey',
    params: z.object({ passkey_id: passkeyId() }),
    body: PasskeyUpdate,
    status: 200,
    response: Passkey,
    errors: { 400: INVALID_REQUEST, 404: ['not_found'], 422: INVALID_REQUEST },
  },
  delete_passkey: {
    summary: 'Delete a passkey',
    params: z.object({ passkey_id: passkeyId() }),
    status: 204,
    response: null,
    errors: { 400: INVALID_REQUEST, 404: ['not_found'], 422: INVALID_REQUEST },
  },
});
