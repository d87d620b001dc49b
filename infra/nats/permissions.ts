import { publishersFor, WORKER_ACCESS_QUESTION } from '@payroll/events';
import { SERVICES, type ServiceName } from '@payroll/kernel';

/** One user per service. Edges do not connect to NATS. */
export type NatsUser = ServiceName;

export type NatsPasswords = Readonly<Record<NatsUser, string>>;

export const natsUsers: readonly NatsUser[] = SERVICES;

/** A question that a service asks of another whose events it does not consume. */
const ALSO_ASKS: Readonly<Partial<Record<NatsUser, readonly string[]>>> = { review: [WORKER_ACCESS_QUESTION] };

/** With `mayRespond` it may answer the request it has just received, once and soon, whatever inbox that goes to. */
export function permissionsOf(user: NatsUser) {
  const asked = publishersFor(user).map((publisher) => `ask.${publisher}.*`);
  return {
    // An event's subject is `events.<publisher>.<consumer>`. A service may also ask those whose events it consumes.
    publish: [`events.${user}.*`, ...asked, ...(ALSO_ASKS[user] ?? [])],
    subscribe: [`_INBOX_${user}.>`, `events.*.${user}`, `ask.${user}.*`],
    mayRespond: true,
  };
}

/** For people, who see a change of it in a diff. */
export function renderPermissions(): string {
  const lines = (verb: string, subjects: readonly string[]): string[] => subjects.map((each) => `  ${verb}  ${each}`);
  const users = natsUsers.map((user) => {
    const { publish, subscribe, mayRespond } = permissionsOf(user);
    const answers = mayRespond ? ['  may answer each request once'] : [];
    return [user, ...lines('publish  ', publish), ...lines('subscribe', subscribe), ...answers].join('\n');
  });
  return `Made by \`npm run schema\` of permissions.ts: what each user of NATS may do, and nothing else.\n\n${users.join('\n\n')}\n`;
}
