import * as z from 'zod/mini';
import { line } from '../one-line.ts';
import { defineEndpoints, INVALID_REQUEST } from '#contract/api/endpoint.ts';
import { TASK_IDS } from '../ids.ts';
import { KEY_KINDS, ROLES } from '../permissions.ts';
import { id, listSchema, modelId, pathId, taskId, timestamp, usd } from '../primitives.ts';

/** All built-in models and as many added ones as an organization can have. */
const MAX_SCOPED_MODELS = 214;

/** What a key may do within its kind. */
export const KeyScopes = z.strictObject({
  /** null: every task. */
  tasks: z.nullable(z.array(taskId()).check(z.minLength(1), z.maxLength(TASK_IDS.length))),
  /** null: every model. */
  models: z.nullable(z.array(modelId()).check(z.minLength(1), z.maxLength(MAX_SCOPED_MODELS))),
  read_only: z.boolean(),
});
export type KeyScopes = z.infer<typeof KeyScopes>;

const apiKeyFields = {
  id: id('key'),
  object: z.literal('api_key'),
  name: z.string(),
  kind: z.enum(KEY_KINDS),
  /** The end of the key, to recognize it by; null: created before it was stored. */
  last_four: z.nullable(z.string()),
  /** Whom it belongs to; null: a program. */
  person: z.nullable(z.strictObject({ id: id('per'), name: z.string() })),
  /** null: everything that its kind may do. */
  scopes: z.nullable(KeyScopes),
  /** null: it does not expire. */
  expires_at: z.nullable(timestamp()),
  /** Until when the secret before the last rotation is also valid; null: it is not. */
  previous_valid_until: z.nullable(timestamp()),
  created_at: timestamp(),
  last_used_at: z.nullable(timestamp()),
  revoked_at: z.nullable(timestamp()),
};

/** Decision: Keys */
export const ApiKey = z.strictObject(apiKeyFields);
export type ApiKey = z.infer<typeof ApiKey>;

/** The only response that contains the key itself. */
export const ApiKeyCreated = z.strictObject({ ...apiKeyFields, key: z.string() });
export type ApiKeyCreated = z.infer<typeof ApiKeyCreated>;

export const keyName = () => line(80);
const keyRestrictions = {
  scopes: z.optional(z.nullable(KeyScopes)),
  expires_at: z.optional(z.nullable(z.iso.datetime({ offset: true }))),
};

const ApiKeyCreate = z.strictObject({
  name: keyName(),
  kind: z.enum(KEY_KINDS),
  /** `me`: it ends with the caller's account, and their role limits it. People who may not manage all keys own theirs. */
  owner: z.optional(z.enum(['me', 'program'])),
  ...keyRestrictions,
});

/** Absent fields stay as they are. */
const ApiKeyUpdate = z.strictObject({ name: z.optional(keyName()), ...keyRestrictions });

const MAX_OVERLAP_HOURS = 168;
const ApiKeyRotate = z.strictObject({
  /** How long the previous secret stays valid beside the new one. */
  overlap_hours: z._default(z.int().check(z.gte(0), z.lte(MAX_OVERLAP_HOURS)), 24),
});

/** Decision: Keys */
export const Me = z.strictObject({
  organization: z.strictObject({ id: id('org'), name: z.string() }),
  key: z.strictObject({ id: id('key'), name: z.string(), kind: z.enum(KEY_KINDS) }),
  /** Who is signed in; null: the credential is an API key of a program. */
  person: z.nullable(
    z.strictObject({
      id: id('per'),
      name: z.string(),
      email: z.nullable(z.string()),
      /** A new address that waits for its confirmation. */
      pending_email: z.optional(z.nullable(z.string())),
      role: z.enum(ROLES),
    }),
  ),
  /** Until then passkeys and the mail address can be changed; null: not with this credential. Decision: Sign-in */
  recent_sign_in_until: z.nullable(timestamp()),
  /** What the credential may do; `GET /v1/roles` describes them. */
  permissions: z.array(z.string()),
  /** Lists show only the person's own work. Decision: Own work */
  sees_own_work_only: z.boolean(),
  media: z.strictObject({
    /** Retention of uploads and outputs; null: until they are deleted. */
    kept_days: z.nullable(z.int()),
    max_upload_bytes: z.int(),
    resumable_uploads_path: z.string(),
  }),
  /** Only for callers who create work, and only while a text model is connected. Decision: Improve a prompt */
  improve_prompt: z.optional(
    z.strictObject({
      /** What improving a usual prompt costs at the provider; null for callers who do not see costs. */
      typical_cost_usd: z.nullable(usd()),
    }),
  ),
  /** Only for keys that may manage providers. */
  providers: z.optional(
    z.strictObject({
      /** Connections and engines of the operator’s file. */
      connected: z.int(),
      paused: z.array(z.strictObject({ id: z.string(), name: z.string(), reason: z.nullable(z.string()) })),
    }),
  ),
});
export type Me = z.infer<typeof Me>;

export const keyEndpoints = defineEndpoints('Keys', {
  get_me: {
    summary: 'Read the organization and the key of the credential',
    status: 200,
    response: Me,
    errors: {},
  },
  list_api_keys: {
    summary: 'List keys: all of them, or one’s own without the permission to manage all',
    status: 200,
    response: listSchema(ApiKey),
    errors: {},
  },
  create_api_key: {
    summary: 'Create a key; it is shown once',
    body: ApiKeyCreate,
    status: 201,
    response: ApiKeyCreated,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
  },
  update_api_key: {
    summary: 'Rename a key, or change its scopes and expiry',
    params: z.object({ key_id: pathId() }),
    body: ApiKeyUpdate,
    status: 200,
    response: ApiKey,
    errors: { 400: INVALID_REQUEST, 404: ['not_found'], 409: ['last_admin_key'], 422: INVALID_REQUEST },
  },
  rotate_api_key: {
    summary: 'Replace the secret of a key; the previous one stays valid for a while',
    params: z.object({ key_id: pathId() }),
    body: ApiKeyRotate,
    status: 200,
    response: ApiKeyCreated,
    errors: { 400: INVALID_REQUEST, 404: ['not_found'], 422: INVALID_REQUEST },
  },
  delete_api_key: {
    summary: 'Revoke a key',
    params: z.object({ key_id: pathId() }),
    status: 204,
    response: null,
    errors: { 404: ['not_found'], 409: ['last_admin_key'], 422: INVALID_REQUEST },
  },
});
