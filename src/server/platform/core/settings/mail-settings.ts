import { ConfigError, type ReadText } from './config-error.ts';

export interface MailSettings {
  /** `smtp://` or `smtps://`, with the credentials. */
  smtp_url: string;
  /** `Emulsion <studio@example.com>`. */
  from: string;
}

const MAIL_FROM_PATTERN = /^(?:[^<>@\r\n]{1,100} )?<?[^\s<>@]{1,64}@[^\s<>@]{1,255}>?$/;

/** @throws {ConfigError} */
export function readMailSettings(readText: ReadText): MailSettings | null {
  const [smtp_url, from] = [readText('SMTP_URL'), readText('MAIL_FROM')];
  if (smtp_url === null && from === null) return null;
  if (smtp_url === null) throw new ConfigError('MAIL_FROM requires SMTP_URL, the mail server.');
  if (from === null) throw new ConfigError('SMTP_URL requires MAIL_FROM, the sender of mail.');
  if (!/^smtps?:\/\/./.test(smtp_url) || !URL.canParse(smtp_url)) {
    throw new ConfigError('SMTP_URL must be a URL such as smtps://user:password@smtp.example.com.');
  }
  if (!MAIL_FROM_PATTERN.test(from)) {
    throw new ConfigError('MAIL_FROM must be a mail address such as Emulsion <studio@example.com>.');
  }
  return { smtp_url, from };
}
