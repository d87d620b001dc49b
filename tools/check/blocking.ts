/** The last migration before this rule: databases have run these, when they had few rows. */
const UNCHECKED_UNTIL = 20261127160325;

interface WrittenMigration {
  readonly name: string;
  readonly statements: readonly string[];
  readonly isTransactional: boolean;
}

/**
 * Says which statements of a migration would make requests wait, and what to write instead. Old processes serve while it runs,
 * so a table that existed before may be locked only for a moment: without reading or rewriting its rows, and without
 * waiting for a second table meanwhile. Everything that is not known to be brief is refused.
 */
export function findBlocking({ name, statements, isTransactional }: WrittenMigration): string[] {
  if (Number(/^Migration(\d{14})/.exec(name)?.[1]) <= UNCHECKED_UNTIL) return [];
  const all = statements.flatMap(simplify);
  const created = new Set(all.flatMap((statement) => CREATE_TABLE.exec(statement)?.[1] ?? []));
  const faults = all.flatMap((statement, at) => [
    ...faultsOf(statement, created, all.slice(0, at)),
    ...(isTransactional === CONCURRENTLY.test(statement) ? [isTransactional ? NOT_TRANSACTIONAL : ONLY_INDEXES] : []),
  ]);
  const altered = new Set(
    all.flatMap((statement) => LOCKED.exec(statement)?.[1] ?? []).filter((it) => !created.has(it)),
  );
  if (altered.size > 1) {
    faults.push(
      `locks ${[...altered].join(' and ')}: requests for one wait while it waits for the other; write two migrations`,
    );
  }
  if (all.some((statement) => VALIDATE.test(statement)) && all.some((it) => LOCKED.test(it) && !VALIDATE.test(it))) {
    faults.push(
      'validates a constraint while it holds the lock of another statement; validate in a migration of its own',
    );
  }
  return [...new Set(faults)].map((fault) => `${name}: ${fault}`);
}

const CREATE_TABLE = /^create (?:unlogged )?table (?:if not exists )?([\w.]+)/;
const CREATE_INDEX = /^create (?:unique )?index (concurrently )?(?:if not exists )?(\w+) on (?:only )?([\w.]+)/;
const CONCURRENTLY = /^(?:create (?:unique )?|drop |re)index concurrently /;
const ALTER_TABLE = /^alter table (?:if exists )?(?:only )?([\w.]+) (.*)$/;
const LOCKED =
  /^(?:alter table (?:if exists )?(?:only )?|create (?:or replace )?(?:constraint )?trigger .*? on |drop trigger .*? on )([\w.]+)/;
const VALIDATE = /^alter table \S+ validate constraint \w+$/;
const CHANGES_ROWS = /^(?:update (?:only )?|delete from (?:only )?|truncate (?:table )?(?:only )?)([\w.]+)/;
const REFUSED =
  /^(?:lock|cluster|vacuum|refresh materialized view|do|drop index(?! concurrently)|reindex(?! index concurrently))\b/;

const NOT_TRANSACTIONAL = 'an index is made concurrently outside of a transaction: isTransactional() { return false; }';
const ONLY_INDEXES = 'without a transaction only indexes are made, or a failure would leave the rest half applied';

function faultsOf(statement: string, created: ReadonlySet<string>, before: readonly string[]): string[] {
  const [, concurrently, index, indexed] = CREATE_INDEX.exec(statement) ?? [];
  if (indexed !== undefined && !created.has(indexed)) {
    const schema = indexed.includes('.') ? `${indexed.split('.')[0]}.` : '';
    const first = `drop index concurrently if exists ${schema}${index}`;
    if (concurrently === undefined) return [`"${statement}" stops writes: create index concurrently`];
    if (!before.includes(first)) return [`a failed attempt leaves an invalid ${index}: begin with  ${first}`];
  }
  const [, changed] = CHANGES_ROWS.exec(statement) ?? [];
  if (changed !== undefined && !created.has(changed)) {
    return [`"${statement}" holds the locks of its rows until the end: change rows in batches, by a background job`];
  }
  if (REFUSED.test(statement)) return [`"${statement}" may lock a table for long`];
  const [, table, actions = ''] = ALTER_TABLE.exec(statement) ?? [];
  if (table === undefined || created.has(table)) return [];
  return splitActions(actions)
    .flatMap((action) => faultOfAction(action) ?? [])
    .map((fault) => `${table}: ${fault}`);
}

const BRIEF = [
  /^drop (?:column|constraint) /,
  /^alter (?:column )?\w+ (?:drop not null|drop default|set default )/,
  /^validate constraint /,
  /^add constraint \w+ (?:check|foreign key|not null) .* not valid$/,
  /^add constraint \w+ (?:unique|primary key) using index /,
  /^(?:enable|disable) trigger /,
  /^set \(/,
];
const ADD_CONSTRAINT = /^add (?:constraint|check|unique|primary key|foreign key|exclude|not null)\b/;
const ADD_COLUMN = /^add (?:column )?(?:if not exists )?(\w+) (.*)$/;
const CONSTANT = /\bdefault (?:''|-?\d+(?:\.\d+)?|true|false|null|now\(\)|current_timestamp)(?:::[\w.[\]]+)?(?= |$)/;

/** Why one action of an `alter table` is not brief; null if it is. */
function faultOfAction(action: string): string | null {
  if (BRIEF.some((known) => known.test(action))) return null;
  if (ADD_CONSTRAINT.test(action)) {
    return `"${action}" reads all rows: add it  not valid  and validate it in a later migration, or  using index`;
  }
  const [, , rest] = ADD_COLUMN.exec(action) ?? [];
  if (rest === undefined) return `"${action}" may read or rewrite all rows`;
  const isConstant = CONSTANT.test(rest);
  if (/\bdefault\b/.test(rest) && !isConstant)
    return `"${action}" rewrites all rows: a new column has a constant default`;
  if (/\bstored\b|\bidentity\b|^(?:small|big)?serial/.test(rest)) return `"${action}" rewrites all rows`;
  if (/\b(?:unique|primary key|references|check)\b/.test(rest))
    return `"${action}" reads all rows: add the constraint later`;
  if (/\bnot null\b/.test(rest) && !isConstant) return `"${action}" fails where rows are: it needs a constant default`;
  return null;
}

/** Without comments, quotes and the content of texts; in small letters, one space between words. */
function simplify(sql: string): string[] {
  return sql
    .replaceAll(/\$(\w*)\$[^]*?\$\1\$/g, "''")
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/--.*$/gm, ' ')
    .replaceAll(/\/\*[^]*?\*\//g, ' ')
    .replaceAll('"', '')
    .toLowerCase()
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '');
}

/** At the commas outside of parentheses. */
function splitActions(actions: string): string[] {
  let depth = 0;
  const parts = [''];
  for (const character of actions) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim());
}
