/** Checks for each process with tables that its migrations produce them; no database is needed. */
import { processFolders, runProcess } from './repository.ts';

const owners = processFolders('{services/*,rest-facade}');
const answers = await Promise.allSettled(owners.map((folder) => runProcess(folder, 'migrate', '--check')));
for (const [at, answer] of answers.entries()) {
  if (answer.status === 'fulfilled') continue;
  console.error(`${owners[at]}: ${answer.reason instanceof Error ? answer.reason.message : String(answer.reason)}`);
  process.exitCode = 1;
}
