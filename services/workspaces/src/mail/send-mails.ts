import { type ServiceDependencies, startBackgroundJob } from '@payroll/service';
import {
  endMail,
  endOverdue,
  type Line,
  readNotices,
  type TakenMail,
  takeDue,
  tryLater,
  addressesOf,
} from './outbox.js';
import { newStopLink } from '../accounts/links.js';
import type { Mailer } from './mailer.js';
import { mailOf } from './notice-texts.js';

/** Soon enough for "at once". */
const EVERY_MS = 1_000;

interface SendingDependencies extends Pick<ServiceDependencies, 'em' | 'log'> {
  mailer: Pick<Mailer, 'send'>;
  /** Where links lead. */
  site: { readonly origin: string };
}

export function startMailRunner(parts: SendingDependencies): AsyncDisposable {
  const work = (stopping: AbortSignal) => sendDue(parts, stopping);
  return startBackgroundJob({ name: 'send-mails', everyMs: EVERY_MS, work, log: parts.log });
}

/**
 * Sends due mails, in each line one after the other: if the process is killed, at most one of each line was accepted
 * without our knowing. Safe in several processes at once.
 */
async function sendDue(parts: SendingDependencies, stopping: AbortSignal): Promise<void> {
  await endOverdue(parts.em);
  const sendLine = async (line: Line): Promise<void> => {
    while (!stopping.aborted) {
      const taken = await takeDue(parts.em, line);
      if (taken === null) return;
      await send(parts, taken);
    }
  };
  const ended = await Promise.allSettled([sendLine('account'), sendLine('workspaces')]);
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
}

async function send({ em, mailer, site }: SendingDependencies, taken: TakenMail): Promise<void> {
  const notices = await readNotices(em, taken);
  const [first] = notices;
  const mail = mailOf(notices, site.origin, first && (await newStopLink(em, first, site.origin)));
  if (mail === null) return await endMail(em, taken, 'dropped');
  // A thief may have changed the address first. Each address gets a mail of its own, which does not name the others.
  const recipients = first?.kind === 'payout_details_changed' ? await addressesOf(em, first.accountId) : [mail.to];
  const sent = await Promise.all(recipients.map((to) => mailer.send({ ...mail, id: taken.id, to })));
  // A former mailbox may be gone.
  if (sent.includes(true)) await endMail(em, taken, 'sent');
  else await tryLater(em, taken);
}
