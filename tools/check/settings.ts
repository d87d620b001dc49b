/**
 * The operator's settings: docker-compose.yml passes on those that the code reads, and .env.example explains each of
 * them.
 */
import { globSync } from 'node:fs';
import { SERVICES } from '@payroll/kernel';
import { read, reportFaults, root } from './repository.ts';

/** Texts: `code` is all code that reads settings, `credentials` names the variables in files of secrets. */
type Sources = Readonly<Record<'compose' | 'example' | 'code' | 'credentials', string>>;

/** One line for each thing to fix; empty if there is none. */
export function findFaults({ compose, example, code, credentials }: Sources): string[] {
  const asked = found(code, /\b(?:s|this)\.\w+\(\s*'([A-Z_]+)'/g);
  const optional = found(code, /\bthis\.env\['([A-Z_]+)'\]/g);
  const given = found(compose, /^ +([A-Z][A-Z_]+): /gm);
  const secret = found(credentials, /\b([A-Z][A-Z_]+):/g);
  const used = defaultsIn(compose);
  const explained = explanationsIn(example);
  return [
    ...only(asked, given, secret, ofNpmStart).map(
      (name) => `${name} is read by the code, but docker-compose.yml gives it to nobody`,
    ),
    ...only(given, asked, optional, imagesOwn).map((name) => `docker-compose.yml gives ${name}, which no code reads`),
    ...only(new Set(used.keys()), explained).map(
      (name) => `${name} is a setting of docker-compose.yml: explain it in .env.example`,
    ),
    ...only(new Set(explained.keys()), used).map(
      (name) => `.env.example explains ${name}, which docker-compose.yml does not use`,
    ),
    ...[...explained].flatMap(([name, { value, hasComment }]) => [
      ...(hasComment ? [] : [`.env.example does not say what ${name} is`]),
      ...[...(used.get(name) ?? [])]
        .filter((fallback) => fallback !== value)
        .map(
          (fallback) =>
            `.env.example says ${name}=${value}, but in docker-compose.yml it is "${fallback}" when not set`,
        ),
    ]),
  ];
}

/** Only for development on one machine. */
const ofNpmStart = new Set(['EXPLORER_STACK']);

/** Read by third-party programs. */
const imagesOwn = new Set([
  'OUTER_PROXIES',
  'POSTGRES_PASSWORD_FILE',
  'POSTGRES_MEMORY',
  'BACKUP_HOUR',
  'PGHOST',
  'DATA_SOURCE_URI',
  'DATA_SOURCE_USER',
  'DATA_SOURCE_PASS_FILE',
  'PGSSLROOTCERT',
]);

function found(text: string, pattern: RegExp): ReadonlySet<string> {
  return new Set([...text.matchAll(pattern)].map(([, name = '']) => name));
}

function only(names: ReadonlySet<string>, ...others: readonly { has: (name: string) => boolean }[]): string[] {
  return [...names].filter((name) => !others.some((other) => other.has(name)));
}

/** The defaults of each setting, wherever it is used. */
function defaultsIn(compose: string): Map<string, Set<string>> {
  const defaults = new Map<string, Set<string>>();
  for (const [, name = '', fallback = ''] of compose.matchAll(/\$\{([A-Z_]+)(?::-([^}]*))?\}/g)) {
    defaults.set(name, (defaults.get(name) ?? new Set()).add(fallback));
  }
  return defaults;
}

/** A comment explains the settings of its paragraph. */
function explanationsIn(example: string): Map<string, { value: string; hasComment: boolean }> {
  const explained = example.split(/\n{2,}/).flatMap((paragraph) => {
    const hasComment = /^# \S/m.test(paragraph);
    const settings = [...paragraph.matchAll(/^([A-Z_]+)=(.*)$/gm)];
    return settings.map(([, name = '', value = '']) => [name, { value, hasComment }] as const);
  });
  return new Map(explained);
}

if (import.meta.main) {
  const sources = globSync(
    '{packages,services,gateway,rest-facade,mcp,console,sandbox-provider,infra/docker,tools/demo}/**/*.ts',
    {
      cwd: root,
      exclude: ['**/node_modules/**', '**/dist/**', '**/*.test.ts'],
    },
  );
  const faults = findFaults({
    compose: read('docker-compose.yml'),
    example: read('.env.example'),
    code: [...sources.map(read), ...SERVICES.map((name) => `s.url('${name.toUpperCase()}_URL'`)].join('\n'),
    credentials: read('infra/secrets.ts') + read('infra/docker/hand-out.ts'),
  });
  reportFaults(faults);
}
