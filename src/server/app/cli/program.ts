import { Command, InvalidArgumentError } from 'commander';
import * as z from 'zod/mini';
import { KEY_KINDS, type KeyKind } from '#contract/permissions.ts';
import { keyName } from '#contract/resources/api-key.ts';
import { formatMoney, formatUsd, parseUsd } from '#contract/money/money.ts';
import { RefundCreate } from '#contract/resources/billing.ts';
import { budgetCommands, verifyCommand } from './audit-commands.ts';
import { credentialCommands } from './credential-commands.ts';
import { migrateCommand } from './migrate-command.ts';
import { modelCommands } from './model-commands.ts';
import { operationCommands } from './operation-commands.ts';
import { peopleCommands } from './people-commands.ts';
import { providerCommands } from './provider-commands.ts';
import { reviewCommands } from './review-commands.ts';
import { type CliSession, withOrganization, withService } from './cli-session.ts';
import { shellActor } from '#server/accounts/audit/record-audit-event.ts';
import { addCredit } from '#server/accounts/billing/add-credit.ts';
import { readBillingSummary } from '#server/accounts/billing/reports/summary.ts';
import { ConfigError } from '#server/platform/core/settings/config-error.ts';
import { OutboundError } from '#server/platform/net/outbound-error.ts';
import { isDatabaseUnreachable } from '#server/platform/db/postgres/is-unreachable.ts';
import { refundGeneration } from '#server/studio/generations/refund-generation.ts';
import { VERSION } from '#server/platform/core/version.ts';
import { createRecordedKey } from '#server/accounts/keys/create-key.ts';
import { type KeyManager, listKeys } from '#server/accounts/keys/list-keys.ts';
import { requestSignIn } from '#server/operations/installation/admin-socket.ts';
import { createShellSignIn } from '#server/operations/installation/shell-sign-in.ts';
import { readConfig } from '#server/platform/core/settings/config.ts';
import { revokeKeyAndCancelWork } from '#server/studio/workflows/revoke-key-and-cancel-work.ts';

const print = (text: string) => process.stdout.write(`${text}\n`);

function parseKeyName(text: string): string {
  const parsed = z.safeParse(keyName(), text);
  if (parsed.success) return parsed.data;
  throw new InvalidArgumentError('Enter one line of at most 80 characters.');
}

const parseKeyKind = (text: string): KeyKind => {
  const kind = KEY_KINDS.find((option) => option === text);
  if (kind) return kind;
  throw new InvalidArgumentError(`Choose ${KEY_KINDS.join(', ')}.`);
};

const parseAmount = (text: string): string => {
  try {
    return formatUsd(parseUsd(text));
  } catch {
    throw new InvalidArgumentError('Enter dollars such as 25 or -3.50.');
  }
};

const padColumn = (text: string | null, width: number) => (text ?? 'never').padEnd(width);

const shellOf = ({ organization_id }: CliSession): KeyManager => ({
  organization_id,
  permissions: new Set(['keys.manage']),
  person: null,
});

const createKeyFromShell = (session: CliSession, name: string, kind: KeyKind) =>
  createRecordedKey(session, shellActor(session.organization_id), { name, kind });

const program = new Command('admin')
  .version(VERSION)
  .description(
    'Manages keys, people, funds, reviews, providers, added models, content credentials and the database. With the embedded database, stop the service first, except for backup, check and sign-in.',
  )
  .showHelpAfterError();

const keys = program.command('keys').description('create, list and revoke keys');

keys
  .command('create')
  .description('create a key; it is shown once')
  .requiredOption('--name <name>', 'owner or purpose of the key', parseKeyName)
  .option('--kind <kind>', KEY_KINDS.join(', '), parseKeyKind, 'member')
  .action(({ name, kind }: { name: string; kind: KeyKind }) =>
    withOrganization(async (session) => {
      const created = await createKeyFromShell(session, name, kind);
      print(`${created.id}\n${created.key}`);
    }),
  );

keys
  .command('list')
  .description('list keys, newest first')
  .action(() =>
    withOrganization(async (session) => {
      for (const key of await listKeys(session, shellOf(session))) {
        const state =
          key.revoked_at === null ? `last used ${padColumn(key.last_used_at, 24)}` : `revoked ${key.revoked_at}`;
        print(`${key.id}  ${padColumn(key.kind, 12)}  ${padColumn(key.name, 24)}  ${state}`.trimEnd());
      }
    }),
  );

keys
  .command('revoke')
  .description('revoke a key immediately')
  .argument('<key_id>', 'key id: key_…')
  .action((keyId: string) =>
    withService(async ({ deps, organization_id }) => {
      const isKnown = await revokeKeyAndCancelWork(deps, shellActor(organization_id), keyId);
      if (!isKnown) throw new Error(`There is no key ${keyId}.`);
      print(`${keyId} is revoked.`);
    }),
  );

program
  .command('sign-in')
  .description(
    'print a sign-in link that works once, within 15 minutes: for the only administrator, or whom an option names; the service may run',
  )
  .option('--person <email>', 'sign in as this person: mail address or id')
  .option('--key <key_id>', 'sign in as this key')
  .option('--name <name>', 'sign in as a new organization key of this name', parseKeyName)
  .action(async (who: { name?: string; key?: string; person?: string }) => {
    const { databaseUrl, dataDir } = readConfig();
    const url = databaseUrl === null ? await requestSignIn(dataDir, who) : null;
    if (url !== null) print(url);
    else
      await withOrganization(async (session) => {
        print(await createShellSignIn(session, session.organization_id, who));
      });
  });

program
  .command('credit')
  .description('add credit, or reduce the balance with a negative amount')
  .argument('<amount>', 'dollars, such as 25 or -3.50', parseAmount)
  .requiredOption('--why <reason>', 'reason, recorded in the ledger')
  .action((amountUsd: string, { why }: { why: string }) =>
    withOrganization(async (session) => {
      const credit = { amount_usd: amountUsd, description: why };
      const { body } = await addCredit(session, shellActor(session.organization_id), credit);
      print(`${body.type} ${formatMoney(body.amount_usd)}. Available: ${formatMoney(body.available_after_usd)}`);
    }),
  );

program
  .command('funds')
  .description('show available, reserved and spent funds')
  .action(() =>
    withOrganization(async (session) => {
      const summary = await readBillingSummary(
        session,
        { organization_id: session.organization_id, key_ids: null, tags: new Map() },
        { from: undefined, to: undefined },
      );
      print(`available         ${formatMoney(summary.available_usd)}`);
      print(`reserved          ${formatMoney(summary.reserved_usd)}`);
      print(`balance           ${formatMoney(summary.balance_usd)}`);
      print(`spent this month  ${formatMoney(summary.spent_this_month_usd)}`);
      print(`spent in total    ${formatMoney(summary.spent_total_usd)}`);
    }),
  );

program
  .command('refund')
  .description('refund the charge of a generation, in full or in part')
  .argument('<generation_id>', 'generation id: gen_…')
  .requiredOption('--why <reason>', 'reason, recorded in the ledger')
  .option('--amount <dollars>', 'part of the charge; the rest of it by default')
  .action((generationId: string, { why, amount }: { why: string; amount?: string }) => {
    const request = {
      generation_id: generationId,
      reason: why,
      ...(amount === undefined ? {} : { amount_usd: amount }),
    };
    const parsed = z.safeParse(RefundCreate, request);
    if (!parsed.success) throw new Error('Enter an id such as gen_…, a reason, and an amount in dollars such as 3.50.');
    return withOrganization(async (session) => {
      const { body } = await refundGeneration(session, shellActor(session.organization_id), parsed.data);
      print(
        `REFUND ${formatMoney(body.amount_usd)} for ${generationId}. Available: ${formatMoney(body.available_after_usd)}`,
      );
    });
  });

program.addCommand(migrateCommand(print));
program.addCommand(peopleCommands(print));
program.addCommand(budgetCommands(print));
program.addCommand(verifyCommand(print));
program.addCommand(reviewCommands(print));
program.addCommand(providerCommands(print));
program.addCommand(modelCommands(print));
program.addCommand(credentialCommands(print));
for (const command of operationCommands(print)) program.addCommand(command);

const describeError = (error: unknown): string => {
  const isDescribed = error instanceof ConfigError || error instanceof OutboundError;
  if (!isDescribed && isDatabaseUnreachable(error)) return 'The database at DATABASE_URL does not respond.';
  return error instanceof Error ? error.message : String(error);
};

try {
  await program.parseAsync(process.argv, { from: 'node' });
} catch (error) {
  process.stderr.write(`${describeError(error)}\n`);
  process.exitCode = 1;
}
