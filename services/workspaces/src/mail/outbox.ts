import type { EntityManager } from '@mikro-orm/postgresql';
import type { CommandTransaction } from '@payroll/commands';
import { newId } from '@payroll/kernel';
import { metrics, onScrape } from '@payroll/runtime';
import { computed, columns, inBatches, read, readOne, sql, type Sql, SKIP_LOCKED, write } from '@payroll/store';
import { FORMER_DAYS } from '../domain/account.js';
import { type KindFor, type NoticeKind, TOPIC_OF } from '../domain/notice.js';
import { AccountTable } from '../store/account-tables.js';
import { MailTable, NoticeTable } from '../store/mail-tables.js';

// A mail is written in the transaction of the change that it reports, and sent afterwards by any process. Each of the
// statements that take and end a mail commits by itself: no row is locked while a mail server is waited for.

interface AccountNotice {
  /** The operation's id: it causes at most one notice for an account. */
  sourceId: string;
  accountId: string;
  kind: KindFor<'account'>;
  aboutId?: string;
}

/** Mails one account, at once. */
export function tellAccount({ sourceId, accountId, kind, aboutId = accountId }: AccountNotice): Sql {
  return sql`with opened as (
      insert into mail (id, account_id, workspace_id, state, due_at, tries, first_tried_at, created_at)
      values (${newId()}, ${accountId}, null, 'waiting', clock_timestamp(), 0, null, clock_timestamp())
      returning id, account_id, created_at)
    insert into notice (source_id, account_id, mail_id, kind, about_id, created_at)
    select ${sourceId}::uuid, account_id, id, ${kind}, ${aboutId}::uuid, created_at from opened
    on conflict (source_id, account_id) do nothing`;
}

/**
 * Mails an account that has known browsers that another one signs in. A mail about this that was not tried yet takes up the
 * next ones: a person who signs in all the time must not fill the mailbox, nor hold up the mails of other accounts.
 */
export function tellNewBrowser(accountId: string): Sql {
  return sql`with waiting as (
      select id from mail
      where account_id = ${accountId} and workspace_id is null and state = 'waiting' and first_tried_at is null
        and exists (select from notice where mail_id = mail.id and kind = 'new_browser')
      -- A mail that is being taken right now would not have this notice.
      order by created_at limit 1 for update skip locked),
    opened as (
      insert into mail (id, account_id, workspace_id, state, due_at, tries, first_tried_at, created_at)
      select ${newId()}::uuid, ${accountId}::uuid, null, 'waiting', clock_timestamp(), 0, null, clock_timestamp()
      where exists (select from known_device where account_id = ${accountId}) and not exists (select from waiting)
      returning id)
    insert into notice (source_id, account_id, mail_id, kind, about_id, created_at)
    select ${newId()}::uuid, ${accountId}::uuid, id, 'new_browser', ${accountId}::uuid, clock_timestamp()
    from (select id from waiting union all select id from opened) mail`;
}

/** Notices of one workspace are gathered until then, and mailed together. */
const DUE_AT = {
  atOnce: sql`clock_timestamp() + interval '10 min'`,
  daily: sql`(date_trunc('day', (clock_timestamp() at time zone 'UTC') - interval '7 h') + interval '1 day 7 h') at time zone 'UTC'`,
};

interface WorkspaceNotice {
  kind: KindFor<'worker' | 'admins'>;
  aboutId: string;
}

/**
 * Gathers a notice for accounts of the workspace, which `recipients` selects, in the rhythm that each of them chose. An event
 * causes one for each account.
 */
export function tellPeople(tx: CommandTransaction, recipients: Sql, { kind, aboutId }: WorkspaceNotice): void {
  const { workspaceId, operationId } = tx;
  tx.write(sql`with recipient as (
      select account_id, rhythm is not distinct from 'daily' as is_daily
      from (${recipients}) addressed left join (
        select account_id, rhythm from mail_choice
        where workspace_id = ${workspaceId} and topic = ${TOPIC_OF[kind]}) chosen using (account_id)
      where rhythm is distinct from 'never'),
    gathering as (
      insert into mail (id, account_id, workspace_id, state, due_at, tries, first_tried_at, created_at, is_daily)
      select gen_random_uuid(), account_id, ${workspaceId}::uuid, 'waiting',
        case when is_daily then ${DUE_AT.daily} else ${DUE_AT.atOnce} end, 0, null, clock_timestamp(), is_daily
      from recipient
      -- Changes nothing, but keeps the mail from being taken before this notice has joined it.
      on conflict (account_id, workspace_id, is_daily) where state = 'waiting' and first_tried_at is null
        do update set due_at = mail.due_at
      returning id, account_id)
    insert into notice (source_id, account_id, mail_id, kind, about_id, created_at)
    select ${operationId}::uuid, account_id, id, ${kind}, ${aboutId}::uuid, clock_timestamp() from gathering
    on conflict (source_id, account_id) do nothing`);
}

/**
 * Until another process takes a mail whose sender has died. Longer than a mail server that answers can keep its sender
 * waiting (`Mailer`): only a mail that was accepted as its sender died is sent twice.
 */
const LEASE = '15 min';

export type TakenMail = NonNullable<Awaited<ReturnType<typeof takeDue>>>;

/** Mails about accounts themselves do not wait behind those of a payday. */
export type Line = 'account' | 'workspaces';

/** Takes a mail that is due, except what another process is taking right now, and leases it. */
export async function takeDue(em: EntityManager, line: Line) {
  return await readOne(
    em,
    sql`with due as (
        select id from mail
        where state = 'waiting' and due_at <= statement_timestamp() and (workspace_id is null) = ${line === 'account'}
        order by due_at limit 1 for update skip locked)
      update mail set tries = tries + 1, first_tried_at = coalesce(first_tried_at, clock_timestamp()),
        due_at = clock_timestamp() + ${LEASE}::interval
      from due where mail.id = due.id
      returning ${columns(MailTable, 'id', 'tries')}`,
  );
}

/**
 * The notices of the mail, oldest first, with its recipient as they are now: their standing in the workspace may have
 * ended since.
 */
export async function readNotices(em: EntityManager, { id }: TakenMail) {
  // A change of address concerns the reader of the address that it replaced.
  const email = sql`case notice.kind when 'address_changed' then change.former_email
    when 'address_restored' then change.email else account.email end`;
  const inWorkspace = (table: Sql, more: Sql) => sql`exists (
    select from ${table} standing
    where standing.workspace_id = mail.workspace_id and standing.account_id = mail.account_id and ${more})`;
  const isWorker = inWorkspace(sql`worker_access`, sql`ended_at is null`);
  const isAdmin = inWorkspace(sql`membership`, sql`left_at is null and role = 'admin'`);
  return await read(
    em,
    sql`select ${columns(NoticeTable, 'kind', 'createdAt', 'accountId', 'aboutId')}, ${computed('email', 'text?', email)},
        ${columns(MailTable, 'id', 'workspaceId')}, ${computed('workspaceName', 'text?', sql`business.name`)},
        ${computed('isWorker', 'boolean', isWorker)}, ${computed('isAdmin', 'boolean', isAdmin)},
        ${computed('until', 'timestamptz?', sql`case when payout_stop.until > now() then payout_stop.until end`)}
      from mail join notice on notice.mail_id = mail.id join account on account.id = mail.account_id and closed_at is null
      left join address_change change on change.id = notice.about_id
      left join payout_stop on payout_stop.change_id = notice.about_id
      left join business on business.id = coalesce(mail.workspace_id, payout_stop.workspace_id, notice.about_id)
      where mail.id = ${id} order by notice.created_at`,
  );
}

export type FoundNotice = Omit<Awaited<ReturnType<typeof readNotices>>[number], 'kind'> & { kind: NoticeKind };

/** The current address, and those that were replaced in the last 30 days, for mails about money. */
export async function addressesOf(em: EntityManager, accountId: string): Promise<string[]> {
  const rows = await read(
    em,
    sql`select ${columns(AccountTable, 'email')} from account where id = ${accountId} and closed_at is null
      union
      -- One that was undone belonged to a person whom the owner has shut out.
      select former_email from address_change where account_id = ${accountId} and undone_at is null
        and changed_at > now() - make_interval(days => ${FORMER_DAYS})`,
  );
  return rows.map(({ email }) => email);
}

export async function endMail(em: EntityManager, { id }: TakenMail, state: 'sent' | 'dropped'): Promise<void> {
  await write(em, sql`update mail set state = ${state} where id = ${id}`);
}

/** Doubles from 30 s to 2 h: about 20 tries in a day. */
export async function tryLater(em: EntityManager, { id, tries }: TakenMail): Promise<void> {
  await write(
    em,
    sql`update mail set due_at = clock_timestamp()
        + least(interval '30 s' * power(2, least(${tries}::int - 1, 12)), interval '2 h')
      where id = ${id}`,
  );
}

/**
 * Gives up on mails that were not accepted for a day. Older ones than two days are dropped: they were written before the
 * database was restored, or before mail was turned off and on, and would tell old news.
 */
export async function endOverdue(em: EntityManager): Promise<void> {
  await write(
    em,
    sql`update mail
      set state = case when created_at < clock_timestamp() - interval '2 days' then 'dropped' else 'given_up' end
      where state = 'waiting' and due_at <= clock_timestamp() and (
        created_at < clock_timestamp() - interval '2 days' or first_tried_at < clock_timestamp() - interval '1 day')`,
  );
}

/**
 * For a process without a mail server: a deployment that gets one later must not send old news. It gets it by a rolling
 * restart, in which another process may have it already and send what is due.
 */
export async function dropMails(em: EntityManager): Promise<void> {
  await write(
    em,
    sql`update mail set state = 'dropped' where state = 'waiting' and due_at < clock_timestamp() - interval '1 h'`,
  );
}

/** Events come at most so late a second time. */
const KEPT_DAYS = 30;

export async function deleteExpiredMails(em: EntityManager): Promise<void> {
  await inBatches(
    em,
    (limit) => sql`with gone as (
        delete from mail where id in (
          select id from mail where state <> 'waiting' and created_at < now() - make_interval(days => ${KEPT_DAYS})
          order by created_at ${limit} ${SKIP_LOCKED})
        returning id),
      told as (delete from notice using gone where mail_id = gone.id)
      select from gone`,
  );
}

/** Counts late and given-up mails at each scrape: an operator has to look at the mail server. */
export function observeMails(em: EntityManager): Disposable {
  return onScrape({
    name: 'mails',
    read: async () => {
      const isLate = sql`state = 'waiting' and first_tried_at < clock_timestamp() - interval '1 h'`;
      const isGivenUp = sql`state = 'given_up' and created_at > clock_timestamp() - interval '3 days'`;
      const [row] = await read(
        em,
        sql`select ${computed('late', 'int', sql`count(*) filter (where ${isLate})`)},
            ${computed('givenUp', 'int', sql`count(*) filter (where ${isGivenUp})`)}
          from mail where state = 'waiting' or created_at > clock_timestamp() - interval '3 days'`,
      );
      metrics.unsentMails.set({ state: 'late' }, row?.late ?? 0);
      metrics.unsentMails.set({ state: 'given_up' }, row?.givenUp ?? 0);
    },
    sets: [metrics.unsentMails],
  });
}
