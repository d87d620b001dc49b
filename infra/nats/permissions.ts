import { publishersFor } from '@payroll/events';
import { byName, SERVICES, type ServiceName } from '@payroll/kernel';

/** One user per process; the names are those of the processes. */
export type NatsUser = ServiceName | 'gateway' | 'rest-facade' | 'console' | 'mcp';

export type NatsPasswords = Readonly<Record<NatsUser, string>>;

interface Role {
  readonly publishesEvents: boolean;
  /** Whose events it consumes, with a durable pull consumer named as itself. */
  readonly consumes: readonly NatsUser[];
  /** Edges ask who holds a credential; mcp only whose access token it was handed. */
  readonly admission: 'answers' | 'asks' | 'asks about tokens' | 'none';
}

const edge = { publishesEvents: false, consumes: [] } as const;

/** Who may talk to whom: everything below follows from this table. `permissions.txt` shows the result (`npm run schema`). */
const roles = {
  ...byName(SERVICES, (name): Role => ({
    publishesEvents: true,
    consumes: publishersFor(name),
    admission: name === 'workspaces' ? 'answers' : 'none',
  })),
  gateway: { ...edge, admission: 'asks' },
  'rest-facade': { ...edge, admission: 'asks' },
  console: { ...edge, admission: 'asks' },
  mcp: { ...edge, admission: 'asks about tokens' },
} as const satisfies Readonly<Record<NatsUser, Role>>;

export const natsUsers = Object.keys(roles) as readonly NatsUser[];

/** With `mayRespond` it may answer the request it has just received, once and soon, whatever inbox that goes to. */
export function permissionsOf(user: NatsUser) {
  const role: Role = roles[user];
  const publish: string[] = [];
  const subscribe = [`_INBOX_${user}.>`];
  if (role.admission === 'asks') publish.push('admission.check');
  if (role.admission === 'asks about tokens') publish.push('admission.connection');
  if (role.admission === 'answers') subscribe.push('admission.check', 'admission.connection');
  if (role.publishesEvents) {
    publish.push(`events.${user}.>`, ...ownStreamApi(`events-${user}`));
    subscribe.push(`receipts.${user}.*`, `ask.${user}.*`);
  }
  if (role.publishesEvents || role.consumes.length > 0) publish.push('$JS.API.INFO');
  for (const publisher of role.consumes) {
    publish.push(`ask.${publisher}.*`, `receipts.${publisher}.${user}`);
    publish.push(...ownConsumerApi(`events-${publisher}`, user));
  }
  return { publish, subscribe, mayRespond: role.publishesEvents };
}

/** Delete and purge are missing on purpose: no process may lose events, not even its own. */
function ownStreamApi(stream: string): string[] {
  return ['CREATE', 'UPDATE', 'INFO'].map((verb) => `$JS.API.STREAM.${verb}.${stream}`);
}

/** The client names the consumer and one filter in CONSUMER.CREATE, but several filters need CONSUMER.DURABLE.CREATE. */
function ownConsumerApi(stream: string, durable: string): string[] {
  const name = `${stream}.${durable}`;
  const calls = [`CREATE.${name}`, `CREATE.${name}.>`, `DURABLE.CREATE.${name}`, `INFO.${name}`, `MSG.NEXT.${name}`];
  return [...calls.map((call) => `$JS.API.CONSUMER.${call}`), `$JS.ACK.${name}.>`];
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
