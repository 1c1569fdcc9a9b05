import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ports of outgoing connections, which would otherwise take one before its server listens, or while it
 * restarts. Browsers refuse some below the first.
 */
const [FIRST_PORT, END_PORT] = [11_000, 32_000];

/** Returns a free port, for a server that starts later or more than once. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, END_PORT);
    if (await isFree(port)) return port;
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
