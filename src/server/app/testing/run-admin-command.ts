import { vi } from 'vitest';
import { operationCommands } from '#server/app/cli/operation-commands.ts';

/** Runs a command of `npm run admin` in this process, with these variables until the next one. @returns what it printed */
export async function runAdminCommand(env: Record<string, string>, name: string, ...args: string[]): Promise<string> {
  const lines: string[] = [];
  const command = operationCommands((line) => lines.push(line)).find((each) => each.name() === name);
  vi.unstubAllEnvs();
  for (const [key, value] of Object.entries({ LOG_LEVEL: 'silent', ...env })) vi.stubEnv(key, value);
  await command?.parseAsync(args, { from: 'user' });
  return lines.join('\n');
}
