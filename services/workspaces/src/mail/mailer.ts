import type { Log } from '@payroll/runtime';
import { createTransport } from 'nodemailer';

export interface Mail {
  /** A single address that a mail program cannot split. */
  to: string;
  subject: string;
  /** Plain, in paragraphs. */
  text: string;
}

export interface MailSettings {
  /** `smtps://user:password@mail.example.com`. */
  url: string;
  from: string;
}

const MOST_WAIT_MS = 10_000;

/** Hands mails to an SMTP server. Nobody keeps what could not be handed over: whoever asked for it asks again. */
export class Mailer implements Disposable {
  private readonly transport;

  constructor(
    { url, from }: MailSettings,
    private readonly log: Log,
  ) {
    const waits = { connectionTimeout: MOST_WAIT_MS, greetingTimeout: MOST_WAIT_MS, socketTimeout: MOST_WAIT_MS };
    this.transport = createTransport({ url, pool: true, ...waits }, { from });
  }

  /** False where the server did not take it. */
  async send({ to: address, subject, text }: Mail): Promise<boolean> {
    try {
      await this.transport.sendMail({ to: { name: '', address }, subject, text });
      return true;
    } catch (error) {
      this.log.error({ error: failureOf(error) }, 'A mail could not be handed over');
      return false;
    }
  }

  [Symbol.dispose](): void {
    this.transport.close();
  }
}

/** What may be logged: servers repeat the address in what they say, and sometimes the mail, which may hold a link. */
function failureOf(error: unknown): object {
  const { code, command, responseCode } = error as Partial<Record<'code' | 'command' | 'responseCode', unknown>>;
  return { code, command, responseCode };
}
