import settings from './allocator-settings.json' with { type: 'json' };

const MARK = 'EMULSION_ALLOCATOR_SETTINGS';

/**
 * Replaces this process by the same program, under the same process id, with settings that make memory allocators
 * return unused memory: glibc reads them only when a process starts. Values that are already set win.
 */
export function restartWithAllocatorSettings(nodeOptions = []) {
  const canRestart = process.execve !== undefined && process.platform !== 'win32';
  // A parent that sends messages, such as `node --watch`, would lose its channel.
  if (MARK in process.env || !canRestart || process.channel) return;
  process.execve(process.execPath, [process.argv0, ...nodeOptions, ...process.execArgv, ...process.argv.slice(1)], {
    ...settings,
    ...process.env,
    [MARK]: '1',
  });
}
