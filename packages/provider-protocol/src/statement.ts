import { parseJson } from '@payroll/kernel';
import { isPeriod, isStatementLine, type Period, type StatementLine } from './shapes.js';

/** The provider's settled and declined payouts, over periods that need not be contiguous. */
export interface Statement {
  periods: Period[];
  lines: StatementLine[];
}

/** Lines of JSON: a period, then what was settled or declined in it; files may follow one another. @throws Error naming the line */
export function readStatement(text: string): Statement {
  const statement: Statement = { periods: [], lines: [] };
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const value = parseJson(line);
    if (isStatementLine(value) && statement.periods.length > 0) statement.lines.push(value);
    else if (isPeriod(value)) statement.periods.push(value);
    else throw new Error(`line ${at + 1} of the statement is no period, and no payout of one`);
  }
  if (statement.periods.length === 0) throw new Error('the statement is empty: its first line is a period');
  return statement;
}

export function writeStatement(period: Period, lines: readonly StatementLine[]): string {
  return [period, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
}
