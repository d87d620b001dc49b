import type { Log } from '@payroll/runtime';
import { createTransport } from 'nodemailer';

export interface Mail {
  /** A single address that a mail program cannot split. */
  to: string;
  subject: string;
  /** Plain text in paragraphs. */
  text: string;
}

export interface MailSettings {
  /** `smtps://user:password@mail.example.com`. */
  url: string;
  from: string;
}

const MOST_WAIT_MS = 10_000;

/** Sends mails through an SMTP server. A mail that could not be sent is not kept: the person requests it again. */
export class Mailer implements Disposable {
  private readonly transport;

  constructor(
    { url, from }: MailSettings,
    private readonly log: Log,
  ) {
    const waits = { connectionTimeout: MOST_WAIT_MS, greetingTimeout: MOST_WAIT_MS, socketTimeout: MOST_WAIT_MS };
    this.transport = createTransport({ url, pool: true, ...waits }, { from });
  }

  /** @returns false if the server did not accept the mail */
  async send({ to: address, subject, text }: Mail): Promise<boolean> {
    try {
      await this.transport.sendMail({ to: { name: '', address }, subject, text });
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

/**
 * The part of an error that may be logged: servers repeat the address, and sometimes the mail, which may contain a
 * link.
 */
function failureOf(error: unknown): object {
  const { code, command, responseCode } = error as Partial<Record<'code' | 'command' | 'responseCode', unknown>>;
  return { code, command, responseCode };
}
