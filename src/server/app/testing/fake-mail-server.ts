import { SMTPServer } from 'smtp-server';

interface ReceivedMail {
  to: string[];
  /** Headers and body as sent. */
  source: string;
  /** The plain text, decoded. */
  text: string;
}

/** A mail server on a free port of this machine that keeps what it receives. */
export interface FakeMailServer {
  /** For `SMTP_URL`. */
  url: string;
  received: ReceivedMail[];
  /** Number of mails that were rejected. */
  rejected(): number;
  /** Rejects the next mails with this SMTP code. */
  rejectWith(code: number | null): void;
  close(): Promise<void>;
}

export async function startFakeMailServer(): Promise<FakeMailServer> {
  const received: ReceivedMail[] = [];
  let rejection: number | null = null;
  let rejected = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (rejection !== null) {
          rejected += 1;
          callback(Object.assign(new Error('Rejected.'), { responseCode: rejection }));
          return;
        }
        const source = Buffer.concat(chunks).toString();
        const to = session.envelope.rcptTo.map(({ address }) => address);
        received.push({ to, source, text: decodePlainText(source) });
        callback();
      });
    },
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The mail server has no port.');
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    received,
    rejected: () => rejected,
    rejectWith(code) {
      rejection = code;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Returns the first part, which nodemailer encodes as quoted-printable where needed. */
export function decodePlainText(source: string): string {
  const [, boundary = ''] = /boundary="([^"]+)"/.exec(source) ?? [];
  const part = source.split(`\r\n--${boundary}`).find((each) => each.includes('Content-Type: text/plain')) ?? '';
  const [headers = '', ...paragraphs] = part.split('\r\n\r\n');
  const body = paragraphs.join('\r\n\r\n');
  if (/base64/i.test(headers)) return Buffer.from(body, 'base64').toString();
  if (!/quoted-printable/i.test(headers)) return body;
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
