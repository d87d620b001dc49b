import { publishersFor } from '@payroll/events';
import { byName, SERVICES, type ServiceName } from '@payroll/kernel';

/** One user per process; the names are those of the processes. */
export type NatsUser = ServiceName | 'gateway' | 'rest-facade' | 'console' | 'mcp';

export type NatsPasswords = Readonly<Record<NatsUser, string>>;

interface Role {
  readonly isService: boolean;
  /** Whose events it consumes: those it may ask, too. */
  readonly consumes: readonly NatsUser[];
  /** Edges ask who holds a credential; mcp only whose access token it was handed. */
  readonly admission: 'answers' | 'asks' | 'asks about tokens' | 'none';
}

const edge = { isService: false, consumes: [] } as const;

/** Who may talk to whom: everything below follows from this table. `permissions.txt` shows the result (`npm run schema`). */
const roles = {
  ...byName(SERVICES, (name): Role => ({
    isService: true,
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
  // An event's subject is `events.<publisher>.<consumer>`.
  if (role.isService) {
    publish.push(`events.${user}.*`);
    subscribe.push(`events.*.${user}`, `ask.${user}.*`);
  }
  publish.push(...role.consumes.map((publisher) => `ask.${publisher}.*`));
  return { publish, subscribe, mayRespond: role.isService };
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
