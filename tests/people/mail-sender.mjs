import { createLog } from '@payroll/runtime';
import { openDatabase } from '@payroll/store';
import { Mailer } from '../../services/workspaces/dist/mail/mailer.js';
import { startMailRunner } from '../../services/workspaces/dist/mail/send-mails.js';
import { workspacesSchema } from '../../services/workspaces/dist/store/schema.js';

// A process that sends the mails of the outbox and does nothing else, until it is killed.

const [databaseUrl, smtpUrl] = process.argv.slice(2);
const log = createLog('workspaces', 'fatal');
const { em } = await openDatabase(workspacesSchema, databaseUrl);
const mailer = new Mailer({ url: smtpUrl, from: 'Payroll <payroll@example.com>' }, log);
startMailRunner({ em, log, mailer, site: { origin: 'https://accounts.example' } });
