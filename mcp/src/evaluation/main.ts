/** `npm run evaluate`: whether a model finds the right tool for what a person asks in words. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ROLE_SCOPES } from '@payroll/kernel';
import { toolsFor } from '../tools/catalogue.js';
import { evaluation } from './questions.js';
import { judge, readAnswers } from './score.js';

const help = `npm run evaluate [-- --answers <file>]

Prints what a model is asked, as JSON: { today, instructions, tools, questions: [{ id, ask, known }] }. The tools are those
that an admin's assistant is shown. With answers it says which of them are right (mcp/evaluation/README.md).

  --answers <file>  { "<id of a question>": { "tool": "…", "arguments": { … } }, … }, null where the model called nothing;
                    exit code 1 when one is wrong or missing
  --help            this
`;

function asked(): object {
  const { today, instructions, questions } = evaluation;
  return {
    today,
    instructions,
    tools: toolsFor(ROLE_SCOPES.admin),
    questions: questions.map(({ id, ask, known }) => ({ id, ask, known })),
  };
}

function score(text: string): boolean {
  const judged = judge(evaluation.questions, readAnswers(evaluation.questions, text));
  const wrong = judged.filter(({ fault }) => fault !== null);
  for (const { question, fault } of wrong) {
    process.stdout.write(`WRONG  ${question.id}: ${fault}\n       ${question.ask}\n`);
    if (question.why !== undefined) process.stdout.write(`       ${question.why}\n`);
  }
  process.stdout.write(`${judged.length - wrong.length} of ${judged.length} right\n`);
  return wrong.length === 0;
}

try {
  const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' }, answers: { type: 'string' } } });
  if (values.help === true) process.stdout.write(help);
  else if (values.answers === undefined) process.stdout.write(`${JSON.stringify(asked(), null, 2)}\n`);
  else process.exitCode = score(readFileSync(values.answers, 'utf8')) ? 0 : 1;
} catch (error) {
  process.stderr.write(`npm run evaluate: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
