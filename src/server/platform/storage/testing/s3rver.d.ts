declare module '@20minutes/s3rver' {
  import type { IncomingMessage, Server } from 'node:http';
  import type { AddressInfo } from 'node:net';

  export interface S3Context {
    method: string;
    path: string;
    query: Record<string, string>;
    params: { bucket?: string; key?: string };
    req: IncomingMessage;
    status: number;
    body: unknown;
  }

  export interface S3Store {
    getObject(bucket: string, key: string, range?: { start?: number; end?: number }): Promise<unknown>;
  }

  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      directory: string;
      silent: boolean;
      vhostBuckets: boolean;
      configureBuckets: readonly { name: string }[];
    });
    readonly middleware: ((context: S3Context, next: () => Promise<void>) => Promise<void>)[];
    readonly store: S3Store;
    readonly httpServer: Server;
    run(): Promise<AddressInfo>;
  }
}

declare module '@20minutes/s3rver/lib/signature/v4.js' {
  interface CanonicalRequest {
    uri: string;
    querystring: string;
    headers: Record<string, string | undefined>;
  }
  const signature: { getStringToSign(request: CanonicalRequest, credentials: object): string };
  export default signature;
}
