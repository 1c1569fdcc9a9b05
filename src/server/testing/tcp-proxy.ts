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
  /** Freezes the next connection that sends this text; the server receives the text, and its response is lost. */
  freezeAfter(text: string): void;
  close(): Promise<void>;
}

export async function startTcpProxy(target_port: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const frozen = new WeakSet<Socket>();
  let is_dropping = false;
  let last_text: string | null = null;
  const server = createServer((incoming) => {
    const outgoing = connect(target_port, '127.0.0.1');
    pass(incoming, outgoing);
    pass(outgoing, incoming);
  });

  function pass(from: Socket, to: Socket): void {
    sockets.add(from);
    from.on('error', () => undefined);
    from.on('data', (bytes: Buffer) => {
      to.write(bytes);
      if (last_text === null || !bytes.includes(last_text)) return;
      last_text = null;
      freezeAll([from, to]);
    });
    // A paused socket does not see its end, as on a broken network.
    from.on('end', () => to.end());
    from.on('close', () => {
      sockets.delete(from);
      if (!is_dropping && !frozen.has(from)) to.destroy();
    });
    if (is_dropping) from.pause();
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
      is_dropping = true;
      for (const socket of sockets) socket.pause();
    },
    resume() {
      is_dropping = false;
      for (const socket of sockets) if (!frozen.has(socket)) socket.resume();
    },
    freeze: () => freezeAll(sockets),
    freezeAfter(text) {
      last_text = text;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
