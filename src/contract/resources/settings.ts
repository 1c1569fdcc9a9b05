import * as z from 'zod/mini';
import { line } from '../one-line.ts';
import { ALERT_MAIL_ROLES, MAX_ALERT_ADDRESSES } from '../alert-kinds.ts';
import { defineEndpoints, INVALID_REQUEST } from '#contract/api/endpoint.ts';
import { MAX_LOGO_BYTES, MAX_ORGANIZATION_NAME_LENGTH } from '../limits.ts';
import { email, usd } from '../primitives.ts';
import { dollarsSchema } from './budget.ts';

/** Decision: Alerts */
const alertSettingsSchema = z.strictObject({
  /** Available funds below this raise an alert; null: never. */
  low_balance_usd: z.nullable(usd()),
  /** Bills of past months that differ by more percent from our cost raise an alert; null: never. */
  bill_difference_percent: z.nullable(z.int()),
  /** People with these roles get alerts by mail. */
  mail_roles: z.array(z.enum(ALERT_MAIL_ROLES)),
  /** Further addresses. */
  mail_to: z.array(z.string()),
  /** Gets the result of each daily verification; null: nobody. */
  verification_mail_to: z.nullable(z.string()),
});

/** Settings of the organization. Decision: Settings */
export const Settings = z.strictObject({
  object: z.literal('settings'),
  organization_name: z.string(),
  /** Decision: Own work */
  members_see_own_work_only: z.boolean(),
  /** Orders of members above this wait for an approval; null: none do. Decision: Approvals */
  approval_above_usd: z.nullable(usd()),
  /** Public pages can be created and opened. Decision: Share pages */
  sharing_enabled: z.boolean(),
  /** Content credentials state the prompt. Decision: Content credentials */
  prompt_in_credentials: z.boolean(),
  /** Only for callers who see alerts. */
  alerts: z.optional(alertSettingsSchema),
});
export type Settings = z.infer<typeof Settings>;

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const hasNoDuplicates = (list: readonly string[]) => new Set(list).size === list.length;

/** A setting that is left out stays as it is. */
export const SettingsUpdate = z.strictObject({
  organization_name: z.optional(line(MAX_ORGANIZATION_NAME_LENGTH)),
  members_see_own_work_only: z.optional(z.boolean()),
  sharing_enabled: z.optional(z.boolean()),
  prompt_in_credentials: z.optional(z.boolean()),
  approval_above_usd: z.optional(z.nullable(dollarsSchema('Enter an amount in dollars such as 5.'))),
  alerts: z.optional(
    z.strictObject({
      low_balance_usd: z.optional(
        z.nullable(
          dollarsSchema('Enter an amount in dollars such as 5.').check(
            z.refine((text) => Number(text) > 0, 'Enter an amount above 0, or null for no alert.'),
          ),
        ),
      ),
      bill_difference_percent: z.optional(z.nullable(z.int().check(z.gte(0), z.lte(100)))),
      mail_roles: z.optional(
        z.array(z.enum(ALERT_MAIL_ROLES)).check(z.refine(hasNoDuplicates, 'List each role only once.')),
      ),
      mail_to: z.optional(
        z
          .array(email())
          .check(z.maxLength(MAX_ALERT_ADDRESSES), z.refine(hasNoDuplicates, 'List each address only once.')),
      ),
      verification_mail_to: z.optional(z.nullable(email())),
    }),
  ),
});
export type SettingsUpdate = z.infer<typeof SettingsUpdate>;

/** The logo on share pages. Decision: Client answers */
const Logo = z.strictObject({
  object: z.literal('logo'),
  /** A data URL of a WebP; null: none. */
  image: z.nullable(z.string()),
});

const LogoUpdate = z.strictObject({
  /** A PNG, JPEG or WebP as base64; null removes the logo. */
  image: z.nullable(z.string().check(z.minLength(1), z.maxLength(Math.ceil(MAX_LOGO_BYTES / 3) * 4), z.regex(BASE64))),
});

export const settingsEndpoints = defineEndpoints('Settings', {
  get_settings: {
    summary: 'Read the settings of the organization',
    status: 200,
    response: Settings,
    errors: {},
  },
  update_settings: {
    summary: 'Change settings of the organization; what is left out stays',
    body: SettingsUpdate,
    status: 200,
    response: Settings,
    errors: { 422: INVALID_REQUEST },
  },
  get_logo: {
    summary: 'Read the logo of the organization',
    status: 200,
    response: Logo,
    errors: {},
  },
  set_logo: {
    summary: 'Set or remove the logo of the organization',
    body: LogoUpdate,
    status: 200,
    response: Logo,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST, 503: ['media_storage_unavailable'] },
  },
});
