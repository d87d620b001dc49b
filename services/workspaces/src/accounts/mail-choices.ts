import type { EntityManager } from '@mikro-orm/postgresql';
import { isId } from '@payroll/kernel';
import { computed, read, sql, write } from '@payroll/store';
import { type Rhythm, type Topic, TOPIC_OF, TOPICS } from '../domain/notice.js';

export type MailChoice = Awaited<ReturnType<typeof readMailChoices>>[number];

/** For each workspace that mails the account, as one of its admins or as its worker, and each topic. */
export async function readMailChoices(em: EntityManager, accountId: string) {
  const rows = await read(
    em,
    sql`select ${computed('workspaceId', 'uuid', sql`business.id`)}, ${computed('workspaceName', 'text', sql`business.name`)},
        ${computed('topic', 'text', sql`listed.topic`)}, ${computed('rhythm', 'text', sql`coalesce(rhythm, 'at_once')`)}
      from (
        select workspace_id from membership where account_id = ${accountId} and role = 'admin' and left_at is null
        union select workspace_id from worker_access where account_id = ${accountId} and ended_at is null) place
      join business on business.id = place.workspace_id
      cross join unnest(${[...TOPICS]}::text[]) with ordinality as listed (topic, place_of)
      left join mail_choice chosen on chosen.workspace_id = business.id and chosen.account_id = ${accountId}
        and chosen.topic = listed.topic
      order by business.name, business.id, place_of`,
  );
  return rows.map(({ topic, rhythm, ...row }) => ({ ...row, topic: topic as Topic, rhythm: rhythm as Rhythm }));
}

export async function keepMailChoice(
  em: EntityManager,
  accountId: string,
  { workspaceId, topic, rhythm }: Pick<MailChoice, 'workspaceId' | 'topic' | 'rhythm'>,
): Promise<void> {
  await write(
    em,
    sql`insert into mail_choice (account_id, workspace_id, topic, rhythm)
      values (${accountId}, ${workspaceId}, ${topic}, ${rhythm})
      on conflict (account_id, workspace_id, topic) do update set rhythm = excluded.rhythm`,
  );
}

/** Ends mails about the topics of this mail, in its workspace. Only its reader knows the random id. */
export async function stopMails(em: EntityManager, mailId: string): Promise<void> {
  if (!isId(mailId)) return;
  await write(
    em,
    sql`insert into mail_choice (account_id, workspace_id, topic, rhythm)
      select distinct mail.account_id, mail.workspace_id, known.topic, 'never'
      from mail join notice on notice.mail_id = mail.id
      join unnest(${Object.keys(TOPIC_OF)}::text[], ${Object.values(TOPIC_OF)}::text[]) as known (kind, topic)
        on known.kind = notice.kind
      where mail.id = ${mailId} and mail.workspace_id is not null
      on conflict (account_id, workspace_id, topic) do update set rhythm = excluded.rhythm`,
  );
}
