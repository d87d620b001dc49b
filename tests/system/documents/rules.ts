/** How a command of the documents is tested. */
export type Rule =
  /** Runs it as printed, with placeholders filled in; `says` is the expected output. */
  | {
      readonly like: RegExp;
      readonly says: RegExp;
      readonly fillIn?: Readonly<Record<string, string>>;
      readonly input?: string;
    }
  /**
   * That file runs it and contains these words: here it would take minutes, Docker, the internet or the whole machine.
   */
  | { readonly like: RegExp; readonly runBy: string; readonly words: string };

const SECRET = 'a long passphrase of nobody 41';

/** The first match counts. A documented command without a match would not be tested. */
export const rules: readonly Rule[] = [
  // Both commands have their own tests.
  {
    like: /^npm start   #[^\n]*\nnpm test /,
    runBy: 'tools/local/test/run-start.test.ts',
    words: 'prints its addresses',
  },
  {
    like: /^npm start$|^MONITORING=1 npm start$/,
    runBy: 'tools/local/test/run-start.test.ts',
    words: 'prints its addresses',
  },
  { like: /^(?:LONG_TESTS=1 )?npm test( -- [\w/. -]+)?$/, runBy: '.ci/run', words: 'npm test' },
  { like: /^npm test -- --project unit [^\n]*\nnpm test /, runBy: '.ci/run', words: 'npm test' },
  { like: /^npm run dev$/, runBy: 'tests/system/operations/commands.test.ts', words: 'npm run %s' },
  {
    like: /^npm run check( -- (layers|layers lint|migrations|--help))?$/,
    runBy: '.ci/run',
    words: 'npm run --silent check',
  },
  {
    like: /^npm run (schema|client|format|migrations( -- add_notes)?)$/,
    runBy: 'tools/check/check.ts',
    words: "'--check'",
  },
  { like: /^npm pack -w @payroll\/sdk$/, runBy: 'tests/system/documents/sdk/package.ts', words: "'pack'" },
  { like: /^npm run build$/, runBy: '.ci/run', words: 'npm run --silent build' },
  {
    like: /^npm run judges( -- (--help|hive))?$|^npx @modelcontextprotocol/,
    runBy: '.ci/run',
    words: 'npm run judges',
  },
  { like: /^npm run model/, runBy: 'lab/model/model.test.ts', words: 'configurations' },
  { like: /^npm run fuzz$/, runBy: 'tools/bin/fuzz.mjs', words: 'tests/fuzz' },
  {
    like: /^npm run (hosts|mutate|screenshots( -- --readme)?)$/,
    runBy: 'tests/system/operations/commands.test.ts',
    words: 'npm run %s',
  },
  { like: /^npm run bench( -- [\w ./-]+)?$/, runBy: 'lab/test/bench.test.ts', words: "'--short'" },
  {
    like: /^npm run footprint( -- [\w ./-]+)?$/,
    runBy: 'lab/test/footprint.test.ts',
    words: "'lab/bench/footprint/main', '--json'",
  },
  {
    like: /^npm run torture( -- [\w <>./-]+)?$/,
    runBy: '.ci/run',
    words: 'npm run --silent torture',
  },
  {
    like: /^npm run begin-faults( -- [\w <>-]+)?$/,
    runBy: '.ci/run',
    words: 'npm run --silent begin-faults',
  },
  {
    like: /^npm run outages( -- [\w <>-]+)?$/,
    runBy: '.ci/run',
    words: 'npm run --silent outages',
  },
  { like: /^npm run cluster( -- [\w <>-]+)?$/, runBy: 'lab/cluster/main.ts', words: '--scene' },
  { like: /^npm run failover( -- [\w <>-]+)?$/, runBy: 'lab/failover/main.ts', words: '--asynchronous' },
  {
    like: /^npm run rolling-restart|rolling-restart -- --project/,
    runBy: 'tools/operate/rolling-restart.ts',
    words: '--project',
  },
  { like: /^infra\/maintenance\/upgrade\.sh$/, runBy: 'tests/compose/smoke.sh', words: 'infra/maintenance/upgrade.sh' },
  {
    like: /^infra\/maintenance\/rotate-secrets\.sh/,
    runBy: 'tests/compose/smoke.sh',
    words: 'infra/maintenance/rotate-secrets.sh',
  },
  { like: /^tests\/compose\/(smoke|rehearse-restore)\.sh$/, runBy: 'docs/operations.md', words: 'Last rehearsed' },
  {
    like: /^(?:docker-compose stop\n)?infra\/maintenance\/restore\.sh newest/,
    runBy: 'tests/compose/rehearse-restore.sh',
    words: 'infra/maintenance/restore.sh newest',
  },
  {
    like: /^docker-compose run --rm --no-deps --entrypoint mv backups /,
    runBy: 'tests/compose/rehearse-restore.sh',
    words: 'run --rm --no-deps --entrypoint mv backups',
  },
  {
    like: /^docker-compose exec -T backups |^docker-compose logs --tail 20 (backups|postgres)\n/,
    runBy: 'tests/compose/rehearse-restore.sh',
    words: 'exec -T backups backups.sh make',
  },
  { like: /^npm run backup-figures/, runBy: 'lab/backups/README.md', words: 'npm run backup-figures' },
  { like: /^infra\/postgres\/start\.sh$/, runBy: 'infra/docker/compose-file.test.ts', words: 'startPostgres' },
  // These need a cluster: their page says what never ran.
  { like: /kubectl |registry\.example/, runBy: 'infra/kubernetes/README.md', words: '**Never ran**' },
  { like: /^promtool test/, runBy: 'infra/monitoring/rules.test.ts', words: "promtool('test', 'rules'" },
  { like: /docker create nats/, runBy: 'infra/nats/README.md', words: 'docker cp' },
  { like: /^npm run trace -- <.+>$/, runBy: 'tests/system/operations/monitoring.test.ts', words: 'trace' },
  {
    like: /^node dist\/\w+\.js --help[^\n]*\nnpm test -- /,
    runBy: 'tests/system/operations/commands.test.ts',
    words: 'programs',
  },
  { like: /^node dist\/[\w-]+\.js( migrate)?$/, runBy: 'tests/system/support.ts', words: 'startThrowAwayStack' },
  {
    like: /^docker (inspect|stats|restart)|^docker-compose (exec|logs)/,
    runBy: 'docs/runbook.md',
    words: 'Where to look',
  },

  {
    like: /Idempotency-Key: draft-/,
    says: /"status":"draft"/,
    fillIn: { 'curl -s': 'eval "$(npm run --silent keys)"\ncurl -s' },
  },

  { like: /openapi-typescript@/, runBy: 'tools/check/client-types.ts', words: "'--default-non-nullable', 'false'" },

  { like: /^npm run demo/, says: /All as promised/ },
  { like: /^eval "\$\(npm run --silent keys\)"/, says: /"data"/ },
  {
    like: /^npm run token$/,
    says: /^it_\S+$/m,
    fillIn: { token: 'token -- --team read_only --owner rita@example.com' },
  },
  {
    like: /^grep -h '<request id>'/,
    says: /"requestId"/,
    fillIn: { '<request id>': '"msg":"answered"', '.local': '"$STACK_DIR"' },
  },
  { like: /^npm run token -- (--help|--team finance --owner \S+)$/, says: /--team|^it_\S+$/m },
  {
    like: /^npm run sandbox( -- --help)?$/,
    says: /submit-timesheet/,
    fillIn: { 'npm run sandbox': 'npm run sandbox -- --help' },
  },
  { like: /^npm run (reconcile|load)$/, says: /ok {5}|0 failed/, fillIn: { 'run load': 'run load -- --seconds 1' } },
  { like: /^npm run --silent statement/, says: /^ok {5}the provider paid a piece of work once/m },
  { like: /^npm run statement( -- --help)?$/, says: /"from"|--day/ },
  { like: /^npm run doctor$/, says: /ok {4}/ },
  { like: /^node dist\/\w+\.js( [\w-]+)? --help$/, says: /Usage: / },
  {
    like: /^\(umask 077 && mkdir -p \.compose && docker-compose run .* demo .*\)\n.*npm run demo$/,
    says: /All as promised/,
  },
  { like: /migrate \\\n +node .*reconcile\.js --wait 30/, says: /^ok {5}/ },
  { like: /operator create-workspace/, says: /"invitation":"http/ },
  { like: /operator create-token --team/, says: /^it_\S+\n[^]*olga@example\.com/ },
  {
    like: /operator revoke-key/,
    runBy: 'services/workspaces/test/operator.test.ts',
    words: 'run(revokeKeyCommand)',
  },
  {
    like: /operator set-password/,
    says: /^$/,
    input: `${SECRET}\n`,
    fillIn: { 'ada@acme.example': 'admin@northwind.example' },
  },
  {
    like: /operator reset-second-factor/,
    runBy: 'services/workspaces/test/pages/second-factor.test.ts',
    words: "'--email', email",
  },
  { like: /^docker-compose run --rm operator [\w -]*--help$/, says: /Usage: / },
  { like: /^npm run evaluate$/, says: /"get_balances"/ },
  {
    like: /^npm run evaluate/,
    says: /"get_balances"[^]*\n0 of 40 right/,
    fillIn: { ' > asked.json': '', 'answers.json ': '/dev/stdin <<<{} || true ' },
  },
  {
    like: /^(?:(?:claude|codex|gemini) mcp add |npx mcp-remote )/,
    runBy: 'tests/system/documents/readme.test.ts',
    words: 'We cannot run the hosts',
  },
  { like: /^npm run dead-letters/, runBy: 'tests/system/resilience/dead-letters.test.ts', words: "'DeadLetters'" },
  // These need Docker: check only that every service, command and option exists.
  { like: /^npm run doctor -- --project[^\n]*\ndocker-compose ps/, runBy: 'docs/runbook.md', words: 'Where to look' },
  { like: /^npm run doctor -- --project/, runBy: 'tools/operate/doctor.ts', words: '--project <n>' },
  {
    like: /^(?:\w+=\S+ )?docker-compose /,
    says: /^/,
    fillIn: { '<process>': 'review', ' …': '', '>users.conf': '>/dev/null' },
  },
];
