import * as z from 'zod/mini';
import { ROLES } from '../permissions.ts';
import { MODEL_IDS, TASK_IDS } from '../ids.ts';
import { id, modelId, taskId, timestamp } from '../primitives.ts';

export const KEY_KINDS = ['organization', 'member', 'publishing'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** What a key may do within its kind. */
export const KeyScopes = z.strictObject({
  /** null: every task. */
  tasks: z.nullable(z.array(taskId()).check(z.minLength(1), z.maxLength(TASK_IDS.length))),
  /** null: every model. */
  models: z.nullable(z.array(modelId()).check(z.minLength(1), z.maxLength(MODEL_IDS.length))),
  read_only: z.boolean(),
});
export type KeyScopes = z.infer<typeof KeyScopes>;

const apiKeyFields = {
  id: id('key'),
  object: z.literal('api_key'),
  name: z.string(),
  kind: z.enum(KEY_KINDS),
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

export const ApiKeyCreate = z.strictObject({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(80)),
  kind: z.enum(KEY_KINDS),
});

/** Decision: Keys. The optional fields are an addition. */
export const Me = z.strictObject({
  organization: z.strictObject({ id: id('org'), name: z.string() }),
  key: z.strictObject({ id: id('key'), name: z.string(), kind: z.enum(KEY_KINDS) }),
  /** Who is signed in; null: the credential is an API key of a program. */
  person: z.optional(
    z.nullable(z.strictObject({ id: id('per'), name: z.string(), email: z.nullable(z.string()), role: z.enum(ROLES) })),
  ),
  /** What the credential may do; `GET /v1/roles` describes them. */
  permissions: z.optional(z.array(z.string())),
  media: z.optional(
    z.strictObject({
      /** Retention of uploads and outputs; null: until they are deleted. */
      kept_days: z.nullable(z.int()),
      max_upload_bytes: z.int(),
      resumable_uploads_path: z.nullable(z.string()),
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
