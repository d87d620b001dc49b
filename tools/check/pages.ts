/** Validates the operations of pages against the graph: their types do not cover arguments or unused fields. */
import { join } from 'node:path';
import { buildSchema, parse, validate } from 'graphql';
import { read, root, runMain } from './repository.ts';

interface Operations {
  PreparedOperations: new (gateway: { prepare: (document: string) => void }) => unknown;
}

async function main(): Promise<void> {
  const schema = buildSchema(read('gateway/supergraph.graphql'));
  const inConsole = (file: string): Promise<unknown> => import(join(root, 'console/dist', file));
  // It imports every page: those of sections, of workers, and of a person over all workspaces.
  await inConsole('app.js');
  const { PreparedOperations } = (await inConsole('operations.js')) as Operations;
  const prepare = (document: string): void => {
    for (const { message } of validate(schema, parse(document))) {
      console.error(`${message}\n${document}\n`);
      process.exitCode = 1;
    }
  };
  void new PreparedOperations({ prepare });
}

await runMain('check', main);
