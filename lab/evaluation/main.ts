import { readFileSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { options, runCommand, text, StartError } from '@payroll/tools/cli';
import { runningStack } from '@payroll/tools/local/stack-file';
import { type ListedTool, evaluation, judge, readAnswers } from './score.js';

const USAGE = `Usage: npm run evaluate [-- --answers <file>]

Whether a model finds the right tool for what a person asks in words (lab/evaluation/README.md). Prints what a model is asked, as
JSON: { today, instructions, tools, questions: [{ id, ask, known }] }. The tools are those that the system which npm start runs
lists for an admin's assistant. With answers it says which of them are right.

  --answers <file>  { "<id of a question>": { "tool": "…", "arguments": { … } }, … }, null where the model called nothing;
                    exit code 1 when one is wrong or missing
  --help            this
`;

async function listedTools(): Promise<ListedTool[]> {
  const { mcp, workspaces } = runningStack() ?? {};
  const token = workspaces?.[0]?.mcpTokens?.admin;
  if (!mcp || token === undefined) throw new StartError('nothing runs here: start it with  npm start');
  const client = new Client(
    { name: 'evaluation', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(mcp.url), { requestInit: { headers } }));
  const { tools } = await client.listTools();
  await client.close();
  return tools;
}

function asked(tools: readonly ListedTool[]): object {
  const { today, instructions, questions } = evaluation;
  return { today, instructions, tools, questions: questions.map(({ id, ask, known }) => ({ id, ask, known })) };
}

function score(text: string, tools: readonly ListedTool[]): boolean {
  const judged = judge(evaluation.questions, readAnswers(evaluation.questions, text), tools);
  const wrong = judged.filter(({ fault }) => fault !== null);
  for (const { question, fault } of wrong) {
    process.stdout.write(`WRONG  ${question.id}: ${fault}\n       ${question.ask}\n`);
    if (question.why !== undefined) process.stdout.write(`       ${question.why}\n`);
  }
  process.stdout.write(`${judged.length - wrong.length} of ${judged.length} right\n`);
  return wrong.length === 0;
}

await runCommand('evaluate', {
  usage: USAGE,
  read: options({ answers: text }),
  run: async ({ answers }: { answers: string | undefined }) => {
    const tools = await listedTools();
    if (answers === undefined) process.stdout.write(`${JSON.stringify(asked(tools), null, 2)}\n`);
    else process.exitCode = score(readFileSync(answers, 'utf8'), tools) ? 0 : 1;
  },
});
