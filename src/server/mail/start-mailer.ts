import { createTransport } from 'nodemailer';
import type { MailSettings } from '#server/core/mail-settings.ts';
import type { Deps } from '#server/deps.ts';
import type { MailMessage } from './enqueue-mail.ts';
import { formatMailHtml } from './format-mail.ts';

const CONCURRENCY = 2;
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

type MailerDeps = Pick<Deps, 'config' | 'queue' | 'secrets' | 'log'>;

/** Sends enqueued mails. @returns a function that stops claiming and resolves when active ones are sent */
export async function startMailer(deps: MailerDeps): Promise<() => Promise<void>> {
  const { config, queue, secrets, log } = deps;
  const { mail } = config;
  if (mail === null) return async () => undefined;
  const send = createSender(mail);
  return queue.work('mail.send', CONCURRENCY, async ({ id, sealed }) => {
    const text = secrets.decrypt('mail', id, sealed);
    if (text === null) return log.error({ mail_id: id }, 'a mail was sealed with another SECRET_KEY and is dropped');
    const message = JSON.parse(text) as MailMessage;
    const context = { mail_id: id, organization_id: message.organization_id };
    try {
      await send(message);
    } catch (error) {
      // Errors of nodemailer may quote the message.
      const reason = describeFailure(error);
      if (isPermanent(error)) return log.error({ ...context, reason }, 'the mail server rejected a mail');
      log.warn({ ...context, reason }, 'could not send a mail; it is retried');
      throw new Error('The mail could not be sent.');
    }
  });
}

function createSender({ smtp_url, from }: MailSettings): (message: MailMessage) => Promise<void> {
  const transport = createTransport({ url: smtp_url, ...TIMEOUTS, disableFileAccess: true, disableUrlAccess: true });
  return async ({ to, subject, text }) => {
    await transport.sendMail({ from, to: { name: '', address: to }, subject, text, html: formatMailHtml(text) });
  };
}

const readField = (error: unknown, name: 'code' | 'responseCode'): unknown =>
  typeof error === 'object' && error !== null && name in error ? (error as Record<string, unknown>)[name] : undefined;

const isPermanent = (error: unknown): boolean => Number(readField(error, 'responseCode') ?? 0) >= 500;

const describeFailure = (error: unknown): string =>
  [readField(error, 'code'), readField(error, 'responseCode')].filter((part) => part !== undefined).join(' ');
