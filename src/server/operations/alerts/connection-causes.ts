import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import { findOperatorId } from '#server/accounts/audit/find-operator-id.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { providerConnections } from '#server/platform/db/schema/provider-schema.ts';
import { webhookEndpoints } from '#server/platform/db/schema/webhook-schema.ts';
import { findPreset } from '#server/models/providers/presets.ts';
import type { AlertCause } from './alert-cause.ts';

const MAX_REASON_CHARACTERS = 300;
export const toLine = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_REASON_CHARACTERS)
    .toWellFormed();

/** Providers that the service paused by itself. They belong to the installation, so its first organization is alerted. */
export async function findPausedProviders(tx: Tx, organizationId: string): Promise<AlertCause[]> {
  if ((await findOperatorId(tx)) !== organizationId) return [];
  const { id, provider, paused_reason } = providerConnections;
  const rows = await tx
    .select({ id, provider, paused_reason })
    .from(providerConnections)
    .where(
      and(
        eq(providerConnections.state, 'paused'),
        isNotNull(paused_reason),
        isNull(providerConnections.disconnected_at),
      ),
    );
  return rows.map((row) => {
    const name = findPreset(row.provider)?.name ?? row.provider;
    return {
      kind: 'provider_paused',
      subject_id: row.id,
      subject_name: name,
      period: null,
      message: `${name} is paused. ${toLine(row.paused_reason ?? '')}`,
    };
  });
}

/** By then the first four attempts of a delivery have failed. */
const FAILING_AFTER_MS = 3_600_000;

/** Names the host only: the path of an endpoint may be a secret. */
export async function findEndpointCauses(tx: Tx, organizationId: string, now: Date): Promise<AlertCause[]> {
  const rows = await tx
    .select()
    .from(webhookEndpoints)
    .where(
      and(
        eq(webhookEndpoints.organization_id, organizationId),
        isNull(webhookEndpoints.deleted_at),
        isNotNull(webhookEndpoints.failing_since),
      ),
    );
  return rows.flatMap(({ id, url, failing_since, disabled_at }): AlertCause[] => {
    if (failing_since === null) return [];
    const host = URL.parse(url)?.host ?? 'The receiver';
    const subject = { subject_id: id, subject_name: host };
    const since = failing_since.toISOString().slice(0, 16).replace('T', ' ');
    if (disabled_at !== null) {
      const message = `The endpoint at ${host} was disabled: it has acknowledged no delivery since ${since} UTC.`;
      return [{ kind: 'endpoint_disabled', ...subject, period: disabled_at.toISOString(), message }];
    }
    if (now.getTime() - failing_since.getTime() < FAILING_AFTER_MS) return [];
    const message = `${host} has acknowledged no delivery since ${since} UTC.`;
    return [{ kind: 'endpoint_failing', ...subject, period: null, message }];
  });
}
