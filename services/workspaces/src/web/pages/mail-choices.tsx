import { Button, Form, Select, type SentForm, textOf } from '@payroll/pages';
import { keepMailChoice, type MailChoice, readMailChoices, stopMails } from '../../accounts/mail-choices.js';
import { type Rhythm, RHYTHMS, type Topic } from '../../domain/notice.js';
import { formPage, type RouteTable, type RoutePlugin } from '../account-context.js';

const TOPIC_LABELS: Record<Topic, string> = {
  work: 'Timesheets and milestones',
  contracts: 'Contracts',
  money: 'Payments',
};

const RHYTHM_LABELS: Record<Rhythm, string> = {
  at_once: 'At once, gathered for ten minutes',
  daily: 'Once a day, at 07:00 UTC',
  never: 'Never',
};

const nameOf = ({ topic, workspaceId }: MailChoice): string => `${topic}-${workspaceId}`;

/** As it was sent or typed; undefined for a page that is only shown. */
const chosenIn = (ctx: SentForm, choice: MailChoice): Rhythm | undefined =>
  RHYTHMS.find((each) => each === textOf(ctx, nameOf(choice)));

export const mailChoicePages: RouteTable = formPage('/account/mail', {
  load: async (ctx) => {
    const { account } = await ctx.requireSignIn();
    await ctx.takeTypedForm();
    const found = await readMailChoices(ctx.web.em, account.id);
    return { account, choices: found.map((choice) => ({ ...choice, chosen: chosenIn(ctx, choice) ?? choice.rhythm })) };
  },
  view: ({ choices }) => ({
    title: 'Mail',
    lead: 'Choose what each workspace mails to you, from now on. Mails about your account itself, such as a changed password, are always sent.',
    body:
      choices.length === 0 ? (
        <p>No workspace sends you mail: only admins and workers get any.</p>
      ) : (
        <Form>
          {[...Map.groupBy(choices, ({ workspaceId }) => workspaceId).values()].map((ofWorkspace) => (
            <section key={ofWorkspace[0]!.workspaceId}>
              <h2>{ofWorkspace[0]!.workspaceName}</h2>
              {ofWorkspace.map((choice) => (
                <Select
                  key={choice.topic}
                  name={nameOf(choice)}
                  label={TOPIC_LABELS[choice.topic]}
                  options={RHYTHM_LABELS}
                  value={choice.chosen}
                />
              ))}
            </section>
          ))}
          <Button>Save</Button>
        </Form>
      ),
  }),
  submit: async ({ account, choices }, ctx) => {
    for (const { chosen: rhythm, ...choice } of choices) {
      if (rhythm !== choice.rhythm) await keepMailChoice(ctx.web.em, account.id, { ...choice, rhythm });
    }
    return { to: '/account/mail', notice: 'Your choice is saved.' };
  },
});

/** For mail programs, which send no cookie (RFC 8058). A person who opens the address chooses on the page. */
export const mailStop: RoutePlugin = (web) => (app) => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, done) => {
    payload.resume();
    done(null);
  });
  app.get('/mail/stop/:id', (_request, reply) => reply.redirect('/account/mail', 303));
  app.post<{ Params: { id: string } }>('/mail/stop/:id', async ({ params }, reply) => {
    await stopMails(web.em, params.id);
    return await reply.code(200).type('text/plain; charset=utf-8').send('You get no more of these mails.\n');
  });
  return Promise.resolve();
};
