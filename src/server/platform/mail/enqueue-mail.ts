import { randomUUID } from 'node:crypto';
import type { Tx } from '#server/platform/db/db.ts';
import type { Deps } from '#server/platform/deps.ts';

export interface MailMessage {
  organization_id: string;
  to: string;
  /** One line. */
  subject: string;
  /** Plain text; URLs become links in the HTML form. */
  text: string;
}

/**
 * Enqueues a mail in the caller's transaction; a worker sends it and retries for about an hour. Does nothing where mail
 * is not set up.
 */
export async function enqueueMail({ config, queue, secrets }: Deps, tx: Tx, message: MailMessage): Promise<void> {
  if (config.mail === null) return;
  const id = randomUUID();
  const sealed = secrets.encrypt('mail', id, JSON.stringify(message));
  await queue.send(tx, 'mail.send', { id, sealed });
}
