import { and, eq, isNotNull, ne } from 'drizzle-orm';
import type { Secrets } from '#server/platform/core/secrets.ts';
import { signingCertificates } from '#server/platform/db/schema/credential-schema.ts';
import type { Tx } from '#server/platform/db/db.ts';
import {
  providerBillingKeys,
  providerConnections,
  providerCredentials,
} from '#server/platform/db/schema/provider-schema.ts';
import { shares } from '#server/platform/db/schema/share-schema.ts';
import { webhookEndpoints } from '#server/platform/db/schema/webhook-schema.ts';

/** A text in the database that SECRET_KEY encrypts for longer than a few minutes. */
export interface SealedSecret {
  purpose: Parameters<Secrets['encrypt']>[0];
  owner: string;
  sealed: string;
  /** Such as “the key of the provider fal”. */
  description: string;
  replace(tx: Tx, sealed: string): Promise<unknown>;
}

/** Lists what SECRET_KEY encrypts. Mail in the queue and sign-ins that have begun are left out: they end soon. */
export async function listSealedSecrets(tx: Pick<Tx, 'select'>): Promise<SealedSecret[]> {
  const { id, url, secret_sealed, previous_secret_sealed } = webhookEndpoints;
  const endpoints = await tx
    .select({ id, url, secret_sealed, previous_secret_sealed })
    .from(webhookEndpoints)
    .where(ne(secret_sealed, ''));
  const credentials = await tx
    .select({
      connection_id: providerCredentials.connection_id,
      version: providerCredentials.version,
      sealed: providerCredentials.sealed_key,
      provider: providerConnections.provider,
    })
    .from(providerCredentials)
    .innerJoin(providerConnections, eq(providerConnections.id, providerCredentials.connection_id))
    .where(isNotNull(providerCredentials.sealed_key));
  const billingKeys = await tx
    .select({ connection_id: providerBillingKeys.connection_id, sealed: providerBillingKeys.sealed_key })
    .from(providerBillingKeys);
  const links = await tx.select({ id: shares.id, sealed: shares.token_encrypted }).from(shares);
  const certificates = await tx
    .select({ id: signingCertificates.id, sealed: signingCertificates.key_encrypted })
    .from(signingCertificates);
  return [
    ...endpoints.flatMap(endpointSecrets),
    ...credentials.flatMap(credentialSecrets),
    ...billingKeys.map(billingKeySecret),
    ...links.map(shareSecret),
    ...certificates.map(certificateSecret),
  ];
}

type EndpointSecrets = Pick<
  typeof webhookEndpoints.$inferSelect,
  'id' | 'url' | 'secret_sealed' | 'previous_secret_sealed'
>;

function endpointSecrets(endpoint: EndpointSecrets): SealedSecret[] {
  const { id, url, secret_sealed, previous_secret_sealed } = endpoint;
  const about = { purpose: 'webhook-secret', owner: id } as const;
  const host = URL.canParse(url) ? new URL(url).host : id;
  const update = (column: 'secret_sealed' | 'previous_secret_sealed', before: string) => (tx: Tx, sealed: string) =>
    tx
      .update(webhookEndpoints)
      .set({ [column]: sealed })
      .where(and(eq(webhookEndpoints.id, id), eq(webhookEndpoints[column], before)));
  return [
    {
      ...about,
      sealed: secret_sealed,
      description: `the secret of the webhook endpoint ${host}`,
      replace: update('secret_sealed', secret_sealed),
    },
    ...(previous_secret_sealed === null
      ? []
      : [
          {
            ...about,
            sealed: previous_secret_sealed,
            description: `the previous secret of the webhook endpoint ${host}`,
            replace: update('previous_secret_sealed', previous_secret_sealed),
          },
        ]),
  ];
}

const billingKeySecret = ({ connection_id, sealed }: { connection_id: string; sealed: string }): SealedSecret => ({
  purpose: 'billing-key',
  owner: connection_id,
  sealed,
  description: `the billing key of the provider ${connection_id}`,
  replace: (tx, replacement) =>
    tx
      .update(providerBillingKeys)
      .set({ sealed_key: replacement })
      .where(and(eq(providerBillingKeys.connection_id, connection_id), eq(providerBillingKeys.sealed_key, sealed))),
});

const shareSecret = ({ id, sealed }: { id: string; sealed: string }): SealedSecret => ({
  purpose: 'share-token',
  owner: id,
  sealed,
  description: `the link of the share ${id}`,
  replace: (tx, replacement) =>
    tx
      .update(shares)
      .set({ token_encrypted: replacement })
      .where(and(eq(shares.id, id), eq(shares.token_encrypted, sealed))),
});

const certificateSecret = ({ id, sealed }: { id: string; sealed: string }): SealedSecret => ({
  purpose: 'signing-key',
  owner: id,
  sealed,
  description: `the signing key ${id} of content credentials`,
  replace: (tx, replacement) =>
    tx
      .update(signingCertificates)
      .set({ key_encrypted: replacement })
      .where(and(eq(signingCertificates.id, id), eq(signingCertificates.key_encrypted, sealed))),
});

interface Credential {
  connection_id: string;
  version: number;
  sealed: string | null;
  provider: string;
}

function credentialSecrets({ connection_id, version, sealed, provider }: Credential): SealedSecret[] {
  if (sealed === null) return [];
  const { connection_id: idColumn, version: versionColumn, sealed_key } = providerCredentials;
  const isRow = and(eq(idColumn, connection_id), eq(versionColumn, version), eq(sealed_key, sealed));
  return [
    {
      purpose: 'provider-key',
      owner: connection_id,
      sealed,
      description: `the key of the provider ${provider}`,
      replace: (tx, replacement) => tx.update(providerCredentials).set({ sealed_key: replacement }).where(isRow),
    },
  ];
}
