import { ConfigError } from '#server/platform/core/settings/config-error.ts';
import type { VariableName } from '#server/platform/core/settings/variables.ts';

export interface ListenAddress {
  host: string;
  port: number;
  portVariable: Extract<VariableName, 'PORT' | 'METRICS_PORT'>;
}

const SENTENCES: Readonly<Record<string, (address: ListenAddress) => string>> = {
  EADDRINUSE: ({ port, portVariable }) => `${portVariable} ${port} is in use by another process.`,
  EACCES: ({ port, portVariable }) =>
    `${portVariable} ${port} needs more rights than this process has: choose one above 1023.`,
  EADDRNOTAVAIL: ({ host }) => `HOST ${host} is no address of this machine.`,
  EAFNOSUPPORT: ({ host }) => `HOST ${host} is of a kind that this machine does not support.`,
  EINVAL: ({ host }) => `HOST ${host} is no address that this machine can listen on.`,
  ENOTFOUND: ({ host }) => `HOST ${host} is unknown: name an address of this machine.`,
  EAI_AGAIN: ({ host }) => `HOST ${host} could not be looked up: name an address of this machine.`,
};

/** Runs a step that listens on an address. @throws {ConfigError} with a sentence that names the variable */
export async function listening<T>(address: ListenAddress, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const sentence = SENTENCES[code];
    throw sentence ? new ConfigError(sentence(address), { cause: error }) : error;
  }
}
