import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@payroll/runtime';
import { createTransport } from 'nodemailer';

export interface Mail {
  /** The same for all tries of one mail, so that its reader's server can tell a second copy; absent: a new one. */
  id?: string;
  to: string;
  subject: string;
  /** Plain text in paragraphs. */
  text: string;
  /** A POST to it ends such mails, without a sign-in: mail programs have a button for it (RFC 8058). */
  stopUrl?: string;
}

export interface MailSettings {
  /** `smtps://user:password@mail.example.com`. */
  url: string;
  from: string;
}

/** Until a server is reached and greets. */
const GREETING_WAIT_MS = 10_000;
/**
 * For each answer. A server that accepts a mail later gets it a second time (RFC 1047). Shorter than the lease of
 * a mail, with all answers together.
 */
const ANSWER_WAIT_MS = 60_000;

/**
 * Sends mails through an SMTP server. A mail that could not be sent is still in the outbox, or has a secret in it and
 * the person requests it again.
 */
export class Mailer implements Disposable {
  private readonly transport;
  private readonly host: string;

  constructor(
    { url, from }: MailSettings,
    private readonly log: Log,
  ) {
    const waits = {
      connectionTimeout: GREETING_WAIT_MS,
      greetingTimeout: GREETING_WAIT_MS,
      socketTimeout: ANSWER_WAIT_MS,
    };
    this.transport = createTransport({ url, pool: true, maxRequeues: 0, ...waits }, { from });
    this.host = from
      .split('@')
      .at(-1)!
      .replace(/[^\w.-].*$/, '');
  }

  /** @returns false if the server did not accept the mail */
  async send({ id, to, subject, text, stopUrl }: Mail): Promise<boolean> {
    // Programs that answer mails by themselves do not answer these (RFC 3834).
    const headers = {
      'Auto-Submitted': 'auto-generated',
      ...(stopUrl !== undefined && {
        'List-Unsubscribe': `<${stopUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    };
    const named = id !== undefined && { messageId: `<${id}@${this.host}>` };
    // As an object: a mail program would split a text with a comma.
    const recipient = { name: '', address: to };
    try {
      await this.transport.sendMail({ to: recipient, subject, text, headers, ...named });
      return true;
    } catch (error) {
      this.log.error({ error: failureOf(error) }, 'A mail could not be handed over to the SMTP server');
      return false;
    }
  }

  [Symbol.dispose](): void {
    this.transport.close();
  }
}

/** Shorter than the time-out of the edges, so that the page can say whether the mail was sent. */
export const PAGE_WAITS_MS = 4_000;

/**
 * @param whenRefused may run after the page has its answer, since a server may still accept the mail then.
 * @returns false also if the server has not accepted the mail while a page can wait for it
 */
export async function sendWhilePageWaits(
  mailer: Mailer,
  mail: Mail,
  whenRefused?: () => Promise<unknown>,
): Promise<boolean> {
  const sending = mailer.send(mail).then(async (isSent) => {
    if (!isSent) await whenRefused?.();
    return isSent;
  });
  return await Promise.race([sending, sleep(PAGE_WAITS_MS, false, { ref: false })]);
}

/**
 * The part of an error that may be logged: servers repeat the address, and sometimes the mail, which may contain a
 * link.
 */
function failureOf(error: unknown): object {
  const { code, command, responseCode } = error as Partial<Record<'code' | 'command' | 'responseCode', unknown>>;
  return { code, command, responseCode };
}
