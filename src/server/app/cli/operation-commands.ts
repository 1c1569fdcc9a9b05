import { Command } from 'commander';
import { withService } from './cli-session.ts';

type Print = (text: string) => void;

/** Other commands start sooner without it. */
const loadSessions = () => import('./operation-sessions.ts');

/** The commands that save, restore and examine a whole installation. */
export function operationCommands(print: Print): Command[] {
  return [
    new Command('backup')
      .description('write a backup of the database, consistent while the service runs')
      .argument('<file>', 'a new file, such as emulsion.tar')
      .option('--media', 'include the files of media instead of listing them')
      .action(async (file: string, { media = false }: { media?: boolean }) =>
        (await loadSessions()).backUp(file, media, print),
      ),
    new Command('restore')
      .description('restore a backup into an empty database')
      .argument('<file>', 'written by backup')
      .action(async (file: string) => (await loadSessions()).restore(file, print)),
    new Command('move-to-postgres')
      .description('copy the embedded database to an empty PostgreSQL; the service must be stopped')
      .argument('[url]', 'such as postgres://user@host/database; DATABASE_URL by default')
      .action(async (url: string | undefined) => (await loadSessions()).moveDatabase(url, print)),
    new Command('check')
      .description('look for what the installation lacks: secrets, files of media, ffmpeg, migrations')
      .option('--all', 'look up every file of media instead of 200')
      .action(async ({ all = false }: { all?: boolean }) => (await loadSessions()).checkService(all, print)),
    new Command('rotate-secrets')
      .description('encrypt with SECRET_KEY what a key in SECRET_KEYS_OLD encrypted')
      .action(() =>
        withService(async ({ deps, organization_id }) => {
          const { rotateSecrets } = await import('#server/operations/installation/rotate-secrets.ts');
          const { rotated, current, unreadable } = await rotateSecrets(deps, organization_id);
          print(`${rotated} encrypted again, ${current} had the newest key already.`);
          if (unreadable.length > 0) throw new Error(`No key decrypts ${unreadable.join(', ')}.`);
        }),
      ),
  ];
}
