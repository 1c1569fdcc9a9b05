import { Command } from 'commander';
import { type ServiceSession, withService } from './cli-session.ts';

const KINDS = { self_made: 'self-made: proves that files are unchanged', operator: 'C2PA_CERT_FILE' } as const;

/** The commands about content credentials and their certificate. */
export function credentialCommands(print: (text: string) => void): Command {
  const credentials = new Command('credentials').description('sign earlier results, show and rotate the certificate');

  async function show({ signing }: ServiceSession['deps']): Promise<void> {
    const { kind, subject, issuer, expires_at } = await signing.signer();
    print(`signer      ${subject}`);
    print(`issuer      ${issuer}`);
    print(`kind        ${KINDS[kind]}`);
    print(`ends        ${expires_at.toISOString()}`);
    print(`time stamp  ${signing.time_stamp_host ?? 'none'}`);
  }

  credentials
    .command('show')
    .description('show the certificate that new results are signed with')
    .action(() => withService(({ deps }) => show(deps)));

  credentials
    .command('rotate')
    .description('make a new self-made certificate; files signed before are still recognized')
    .action(() =>
      withService(async ({ deps, organization_id }) => {
        if (deps.config.credentials.certificate !== null)
          throw new Error('The certificate is that of C2PA_CERT_FILE: replace its files, then restart the service.');
        const { rotateCertificate } = await import('#server/operations/installation/rotate-certificate.ts');
        await rotateCertificate(deps, organization_id);
        await show(deps);
      }),
    );

  credentials
    .command('sidecars')
    .description('sign results that have no content credentials, beside their files, which stay as they are')
    .action(() =>
      withService(async ({ deps }) => {
        const { createSidecars } = await import('#server/studio/credentials/create-sidecars.ts');
        const { signed, failed } = await createSidecars(deps, new AbortController().signal);
        print(`${signed} ${signed === 1 ? 'result' : 'results'} signed.`);
        if (failed > 0) throw new Error(`${failed} could not be signed. The log says why.`);
      }),
    );

  return credentials;
}
