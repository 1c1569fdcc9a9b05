import { copyFile, link } from 'node:fs/promises';

/** Gives a file a second name; copies it where the file system has no links. It may share its bytes then. */
export const linkOrCopy = (source: string, target: string): Promise<void> =>
  link(source, target).catch(() => copyFile(source, target));
