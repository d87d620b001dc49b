import type { EntityManager } from '@mikro-orm/postgresql';
import type { Person, PersonQuestion } from '@payroll/admission';
import { readMailChoices } from '../accounts/mail-choices.js';
import { Sessions, type SignedIn } from '../accounts/sessions.js';
import { membershipsOfAccount } from '../queries/members.js';
import { employersOfAccount } from '../queries/worker-access.js';

/** The person of a session, with the workspaces that they work for. Null for a session that has ended. */
export async function answerPerson(em: EntityManager, { proof, withData }: PersonQuestion): Promise<Person | null> {
  const found = await new Sessions(em).findByProof(proof);
  if (found === null) return null;
  const { id, name } = found.account;
  const employers = await employersOfAccount(em, id);
  return { name, employers, data: withData && found.isRecent ? await dataOf(em, found) : null };
}

/** The account's data, as its pages show it. */
async function dataOf(em: EntityManager, { account, hasSecondFactor }: SignedIn) {
  const [browsers, memberships, mailChoices] = await Promise.all([
    new Sessions(em).list(account.id),
    membershipsOfAccount(em, account.id),
    readMailChoices(em, account.id),
  ]);
  return {
    account: { ...account, hasSecondFactor },
    signedInBrowsers: browsers.map(({ id: _id, ...browser }) => browser),
    memberships: memberships.map(({ workspaceId, workspaceName, name, role }) => {
      return { workspaceId, workspaceName, name, role };
    }),
    mailChoices,
  };
}
