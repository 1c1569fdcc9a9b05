import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

/** Passes connections on to a port of this machine, and loses their data as a broken network does. */
export interface TcpProxy {
  port: number;
  /** Nothing arrives any more, neither data nor the end of a connection; new connections get no response. */
  drop(): void;
  /** Passes on everything that was dropped. */
  resume(): void;
  /** The connections of now never pass anything on again and stay open; new ones work. */
  freeze(): void;
  /** Freezes the next connection that sends this text, once; the server receives the text, and its response is lost. */
  freezeAfter(text: string): void;
  /**
   * Holds back the next data with this text, and all that follow it on their connection.
   * @returns passes them on, and resolves with the server's response
   */
  hold(text: string): () => Promise<string>;
  close(): Promise<void>;
}

export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const frozen = new WeakSet<Socket>();
  let isDropping = false;
  const lastTexts = new Set<string>();
  const releases = new Map<string, (() => Promise<string>) | null>();
  const server = createServer((incoming) => {
    const outgoing = connect(targetPort, '127.0.0.1');
    pass(incoming, outgoing);
    pass(outgoing, incoming);
  });

  function pass(from: Socket, to: Socket): void {
    sockets.add(from);
    from.on('error', () => undefined);
    from.on('data', (bytes: Buffer) => {
      for (const [text, release] of releases) {
        if (release || !bytes.includes(text)) continue;
        releases.set(text, () => releaseHeld(from, to, bytes));
        return freezeAll([from]);
      }
      to.write(bytes);
      for (const text of lastTexts) {
        if (!bytes.includes(text)) continue;
        lastTexts.delete(text);
        freezeAll([from, to]);
      }
    });
    // A paused socket does not see its end, as on a broken network.
    from.on('end', () => to.end());
    from.on('close', () => {
      sockets.delete(from);
      if (!isDropping && !frozen.has(from)) to.destroy();
    });
    if (isDropping) from.pause();
  }

  async function releaseHeld(from: Socket, to: Socket, bytes: Buffer): Promise<string> {
    const response = once(to, 'data') as Promise<[Buffer]>;
    to.write(bytes);
    from.resume();
    return (await response)[0].toString();
  }

  function freezeAll(stuck: Iterable<Socket>): void {
    for (const socket of stuck) {
      frozen.add(socket);
      socket.pause();
    }
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    drop() {
      isDropping = true;
      for (const socket of sockets) socket.pause();
    },
    resume() {
      isDropping = false;
      for (const socket of sockets) if (!frozen.has(socket)) socket.resume();
    },
    freeze: () => freezeAll(sockets),
    freezeAfter: (text) => void lastTexts.add(text),
    hold(text) {
      releases.set(text, null);
      return async () => {
        const release = releases.get(text);
        if (!release) throw new Error(`No data contained ${text}.`);
        return release();
      };
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
