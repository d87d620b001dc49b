import { publishersFor, WORKER_ACCESS_QUESTION } from '@payroll/events';
import { SERVICES, type ServiceName } from '@payroll/kernel';

/** One user per service. Edges do not connect to NATS. */
export type NatsPasswords = Readonly<Record<ServiceName, string>>;

/** A question that a service asks of another whose events it does not consume. */
const ALSO_ASKS: Readonly<Partial<Record<ServiceName, readonly string[]>>> = {
  review: [WORKER_ACCESS_QUESTION.subject],
};

/** Each may also answer the request it has just received, once and soon, whatever inbox that goes to. */
export function permissionsOf(user: ServiceName) {
  const asked = publishersFor(user).map((publisher) => `ask.${publisher}.*`);
  return {
    // An event's subject is `events.<publisher>.<consumer>`. A service may also ask those whose events it consumes.
    publish: [`events.${user}.*`, ...asked, ...(ALSO_ASKS[user] ?? [])],
    subscribe: [`_INBOX_${user}.>`, `events.*.${user}`, `ask.${user}.*`],
  };
}

/** For people, who see a change of it in a diff. */
export function renderPermissions(): string {
  const lines = (verb: string, subjects: readonly string[]): string[] => subjects.map((each) => `  ${verb}  ${each}`);
  const users = SERVICES.map((user) => {
    const { publish, subscribe } = permissionsOf(user);
    const granted = [...lines('publish  ', publish), ...lines('subscribe', subscribe)];
    return [user, ...granted, '  may answer each request once'].join('\n');
  });
  return `Made by \`npm run schema\` of permissions.ts: what each user of NATS may do, and nothing else.\n\n${users.join('\n\n')}\n`;
}
