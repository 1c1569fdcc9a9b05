import { expect, it } from 'vitest';
import { useCliFixture } from '#server/app/testing/cli-fixture.ts';
import { peopleCommands } from './people-commands.ts';

const cli = useCliFixture();
const run = (...args: string[]): Promise<string[]> => cli.run(peopleCommands, args);

it('lists and invites people, changes their role and removes them', async () => {
  const [line = ''] = await run('list');
  const [id = ''] = line.split(' ');
  expect(id).toMatch(/^per_/);
  expect(await run('invite', '--email', 'anna@example.com', '--role', 'administrator')).toEqual([
    expect.stringMatching(/^http:\/\/localhost:8787\/invitation#token=mgs_inv_[\w-]{43}$/),
  ]);
  await expect(run('invite', '--email', 'anna')).rejects.toThrow('Enter a mail address such as name@example.com');
  await expect(run('role', id, 'viewer')).rejects.toThrow('is the last administrator');
  await expect(run('remove', id)).rejects.toThrow('is the last administrator');
  await expect(run('remove', 'nobody@example.com')).rejects.toThrow('There is no person nobody@example.com.');
});
