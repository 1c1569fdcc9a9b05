import { Command } from 'commander';
import { rotateSecrets } from '#server/operations/rotate-secrets.ts';
import { backUp, checkService, moveDatabase, restore } from './operation-sessions.ts';
import { withService } from './cli-session.ts';

type Print = (text: string) => void;

/** The commands that save, restore and examine a whole installation. */
export function operationCommands(print: Print): Command[] {
  return [
    new Command('backup')
      .description('write a backup of the database, consistent while the service runs')
      .argument('<file>', 'a new file, such as emulsion.tar')
      .option('--media', 'include the files of media instead of listing them')
      .action((file: string, { media = false }: { media?: boolean }) => backUp(file, media, print)),
    new Command('restore')
      .description('restore a backup into an empty database')
      .argument('<file>', 'written by backup')
      .action((file: string) => restore(file, print)),
    new Command('move-to-postgres')
      .description('copy the embedded database to an empty PostgreSQL; the service must be stopped')
      .argument('[url]', 'such as postgres://user@host/database; DATABASE_URL by default')
      .action((url: string | undefined) => moveDatabase(url, print)),
    new Command('check')
      .description('look for what the installation lacks: secrets, files of media, ffmpeg, migrations')
      .option('--all', 'look up every file of media instead of 200')
      .action(({ all = false }: { all?: boolean }) => checkService(all, print)),
    new Command('rotate-secrets')
      .description('encrypt with SECRET_KEY what a key in SECRET_KEYS_OLD encrypted')
      .action(() =>
        withService(async ({ deps, organization_id }) => {
          const { rotated, current, unreadable } = await rotateSecrets(deps, organization_id);
          print(`${rotated} encrypted again, ${current} had the newest key already.`);
          if (unreadable.length > 0) throw new Error(`No key decrypts ${unreadable.join(', ')}.`);
        }),
      ),
  ];
}
