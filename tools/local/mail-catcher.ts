import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { callbackify } from 'node:util';
import { createPlainServer, escapeHtml, hostAllowList, PAGE_STYLE, renderHtmlPage } from '@payroll/runtime';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';
import { buffer } from 'node:stream/consumers';

const HOST = '127.0.0.1';
const MOST = 100;

interface CaughtMail {
  at: Date;
  to: string;
  subject: string;
  text: string;
}

interface Ports {
  smtp: number;
  page: number;
}

export interface MailCatcher extends AsyncDisposable {
  /** `smtp://127.0.0.1:4025` */
  readonly url: string;
  /** Newest first. */
  readonly mails: readonly CaughtMail[];
}

/** Accepts every mail and delivers none: a page shows them. Port 0 picks a free port. */
export async function startMailCatcher(ports: Ports): Promise<MailCatcher> {
  await using starting = new AsyncDisposableStack();
  const mails: CaughtMail[] = [];
  const smtp = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['STARTTLS'], logger: false },
    // Senders keep connections open, for which it would wait 30 s. (0 is the default.)
    closeTimeout: 1,
    // For tests: refuses a recipient as a server does with an unknown one.
    onRcptTo: ({ address }, _session, done) => {
      done(address.endsWith('@refused.example') ? new Error(`No mailbox ${address} here`) : null);
    },
    onData: (stream, _session, done) => {
      callbackify(async () => {
        mails.unshift(await read(stream));
        mails.length = Math.min(mails.length, MOST);
      })(done);
    },
  });
  starting.defer(() => new Promise<void>((resolve) => smtp.close(resolve)));
  smtp.listen(ports.smtp, HOST);
  await once(smtp.server, 'listening');
  const isOwnHost = hostAllowList([]);
  const page = createPlainServer((request, response) => {
    // The mails have links for new passwords: a page of another site may not read them by DNS rebinding.
    if (!isOwnHost(request)) return void response.writeHead(403).end();
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.setHeader(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    );
    response.end(pageOfMails(mails));
  });
  starting.defer(() => void page.close());
  page.listen(ports.page, HOST);
  await once(page, 'listening');
  // Do not keep the starting program alive.
  smtp.server.unref();
  page.unref();
  const { port } = smtp.server.address() as AddressInfo;
  const ending = starting.move();
  return { url: `smtp://${HOST}:${port}`, mails, [Symbol.asyncDispose]: () => ending.disposeAsync() };
}

async function read(stream: SMTPServerDataStream): Promise<CaughtMail> {
  const { to = [], subject = '', text = '' } = await PostalMime.parse(await buffer(stream));
  return { at: new Date(), to: to.map(({ address }) => address ?? '').join(', '), subject, text };
}

const STYLE = `${PAGE_STYLE}
main { max-width: 46rem; margin: 2rem auto; padding: 0 1.25rem; }
article { margin: 1rem 0; padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: 8px; background: var(--paper); overflow-wrap: anywhere; }
article h2 { margin: 0 0 .25rem; font-size: 1.125rem; }
article p { white-space: pre-line; }
a { color: var(--accent); }
`;

function pageOfMails(mails: readonly CaughtMail[]): string {
  const articles = mails.map(
    ({ at, to, subject, text }) => `<article>
<h2>${escapeHtml(subject)}</h2>
<p class="hint">To ${escapeHtml(to)}, at <time datetime="${at.toISOString()}">${at.toLocaleTimeString('en-GB')}</time></p>
<p>${escapeHtml(text.trim()).replaceAll(/https?:\/\/\S+/g, '<a href="$&">$&</a>')}</p>
</article>`,
  );
  const body = `<main>
<h1>Mail that nobody gets</h1>
<p>This system delivers no mail. What it would have sent is here until it stops. Load the page again for news.</p>
${articles.join('\n') || '<p>Nothing yet.</p>'}
</main>`;
  return renderHtmlPage({ title: 'Mail', style: STYLE, body });
}
