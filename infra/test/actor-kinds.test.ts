import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { root } from '../check/repository.ts';

const ACTOR = join(root, 'packages/kernel/src/actor.ts');
const KINDS = "kind: 'api_key' | 'connection'";

/** Where questions about an actor are answered, and how many switches over all kinds each file has. */
const SWITCHES: Readonly<Record<string, number>> = {
  'packages/kernel/src/actor.ts': 2,
  'packages/kernel/src/who-may.ts': 1,
  'packages/subgraph/src/permissions.ts': 1,
  'services/payments/src/domain/payee.ts': 1,
};

function missingKinds(planted: string): Record<string, number> {
  const files = Object.keys(SWITCHES).map((path) => join(root, path));
  const options: ts.CompilerOptions = {
    ...{ target: ts.ScriptTarget.ES2024, module: ts.ModuleKind.NodeNext, types: ['node'], strict: true },
    ...{ noEmit: true, skipLibCheck: true, experimentalDecorators: true },
    paths: { '@payroll/kernel': [join(root, 'packages/kernel/src/index.ts')] },
  };
  const host = ts.createCompilerHost(options);
  const readFile = host.readFile.bind(host);
  host.readFile = (name) => {
    const text = readFile(name);
    return name === ACTOR ? text?.replace(KINDS, `kind: ${planted}'api_key' | 'connection'`) : text;
  };
  host.getSourceFile = (name, version) => {
    const text = host.readFile(name);
    return text === undefined ? undefined : ts.createSourceFile(name, text, version);
  };
  const program = ts.createProgram(files, options, host);
  return Object.fromEntries(
    Object.keys(SWITCHES).map((path) => {
      const diagnostics = program.getSemanticDiagnostics(program.getSourceFile(join(root, path)));
      const texts = diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
      return [path, texts.filter((text) => text.includes("parameter of type 'never'")).length];
    }),
  );
}

it('one more kind of actor compiles nowhere that asks who an actor is', { timeout: 120_000 }, () => {
  const none = Object.fromEntries(Object.keys(SWITCHES).map((path) => [path, 0]));
  expect(missingKinds('')).toEqual(none);
  expect(missingKinds("'robot' | ")).toEqual(SWITCHES);
});
