import { startMailCatcher } from '@payroll/tools/local/mail-catcher';
import { createLog } from '@payroll/runtime';
import { expect, it } from 'vitest';
import { Mailer } from '../../services/workspaces/src/mail/mailer.js';

it.each(['ada@northwind.example, eve@evil.example', 'ada@northwind.example <eve@evil.example>'])(
  'the mailer does not parse several addresses out of %j',
  async (to) => {
    await using mails = await startMailCatcher({ smtp: 0, page: 0 });
    using mailer = new Mailer({ url: mails.url, from: 'a@example.com' }, createLog('workspaces', 'silent'));
    await mailer.send({ to, subject: 'An invitation', text: 'https://link' });
    expect(mails.mails.map((mail) => mail.to)).not.toContainEqual(expect.stringMatching(/(^|, )eve@evil\.example/));
  },
);
