import type { MailSettings } from '#server/platform/core/settings/mail-settings.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { MailMessage } from './enqueue-mail.ts';

const CONCURRENCY = 2;
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/** Sends enqueued mails. @returns a function that stops claiming and resolves when active ones are sent */
export async function startMailer(deps: Deps): Promise<() => Promise<void>> {
  const { config, queue, secrets, log } = deps;
  const { mail } = config;
  if (mail === null) return async () => undefined;
  const send = await createSender(mail);
  return queue.work('mail.send', CONCURRENCY, async ({ id, sealed }) => {
    const text = secrets.decrypt('mail', id, sealed);
    if (text === null) return log.error({ mail_id: id }, 'a mail was sealed with another SECRET_KEY and is dropped');
    const message = JSON.parse(text) as MailMessage;
    const failure = await send(message).then(
      () => null,
      (error: unknown) => describeFailure(error),
    );
    if (failure === null) return;
    const context = { mail_id: id, organization_id: message.organization_id, reason: failure.reason };
    if (failure.is_permanent) return log.error(context, 'the mail server rejected a mail');
    log.warn(context, 'could not send a mail; it is retried');
    throw new Error('The mail could not be sent.');
  });
}

/** Loads nodemailer only if mails are sent. */
async function createSender({ smtp_url, from }: MailSettings): Promise<(message: MailMessage) => Promise<void>> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ url: smtp_url, ...TIMEOUTS, disableFileAccess: true, disableUrlAccess: true });
  return async ({ to, subject, text }) => {
    await transport.sendMail({ from, to: { name: '', address: to }, subject, text, html: formatMailHtml(text) });
  };
}

/** Describes an error of nodemailer without its message, which may quote the mail. */
function describeFailure(error: unknown): { reason: string; is_permanent: boolean } {
  const fields = typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : {};
  const responseCode = Number(fields['responseCode'] ?? 0);
  const reason = [fields['code'], fields['responseCode']].filter((part) => part !== undefined).join(' ');
  return { reason, is_permanent: responseCode >= 500 };
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => ESCAPES[character] ?? '');

/** Converts plain text to HTML: paragraphs at empty lines, links for URLs. */
function formatMailHtml(text: string): string {
  const paragraphs = text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => {
      const lines = escapeHtml(paragraph).replaceAll('\n', '<br>');
      return `<p>${lines.replaceAll(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`)}</p>`;
    });
  return `<!doctype html><html lang="en"><body style="font-family: sans-serif; max-width: 40em">${paragraphs.join('')}</body></html>`;
}
