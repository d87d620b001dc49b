import { StartError } from '@payroll/runtime';
import { isCalendarDate } from '@payroll/kernel';
import { readStatement } from '@payroll/provider-protocol';
import { options, runCommand, texts } from '../cli.js';
import { runningStack } from '../local/stack-file.js';

const USAGE = `Usage: npm run --silent statement [-- --day <YYYY-MM-DD> …]

Prints the payout provider's statement: what it settled or declined on these UTC days, as lines of JSON.
npm run reconcile -- --statement - holds it against the database.

  --day <d>                   default: the last 14 days, today as far as it has gone
  PROVIDER_URL, PROVIDER_KEY  the provider's; default: the sandbox provider of the system that npm start runs
`;

const DAY_MS = 86_400_000;
/** A payout is compared by a statement of all days from its order to its end, and a bank transfer may take a week. */
const DAYS = 14;

function lastDays(): string[] {
  const today = Date.now();
  const daysAgo = Array.from({ length: DAYS }, (_, index) => DAYS - 1 - index);
  return daysAgo.map((ago) => new Date(today - ago * DAY_MS).toISOString().slice(0, 10));
}

async function main({ day }: { day: readonly string[] }): Promise<void> {
  const days = day.length > 0 ? day : lastDays();
  const provider = providerOf(process.env);
  const texts: string[] = [];
  for (const day of days) texts.push(await fetchStatement(provider, day));
  // Not day by day: after a failure, `reconcile` at the other end of the pipe would take the first days for all.
  process.stdout.write(texts.join(''));
}

async function fetchStatement({ url, key }: { url: string; key: string }, day: string): Promise<string> {
  const response = await fetch(`${url}/statements/${day}`, { headers: { authorization: `Bearer ${key}` } });
  const text = await response.text();
  if (!response.ok) throw new StartError(`the provider has no statement of ${day}: it answered ${response.status}`);
  readStatement(text);
  return text;
}

function providerOf(env: NodeJS.ProcessEnv): { url: string; key: string } {
  const { PROVIDER_URL: url, PROVIDER_KEY: key } = env;
  if (url && key) return { url: url.replace(/\/$/, ''), key };
  const provider = runningStack()?.provider;
  if (provider !== undefined) return provider;
  throw new StartError('PROVIDER_URL and PROVIDER_KEY are missing: set both, or start a system with  npm start');
}

const days: typeof texts = {
  ...texts,
  read: (given) => {
    const odd = given.findIndex((day) => !isCalendarDate(day));
    if (odd >= 0) throw new Error(`--day is a day such as 2027-06-01, not "${given[odd]}".`);
    return given;
  },
};
await runCommand('statement', { usage: USAGE, read: options({ day: days }), run: main });
