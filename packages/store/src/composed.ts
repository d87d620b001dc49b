import { hash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { prepared } from './prepared.js';

/** A piece of SQL and the values it binds. */
export class Part {
  constructor(
    readonly texts: readonly string[],
    readonly values: readonly unknown[],
  ) {}
}

/** A piece of SQL. Parts in it become text of it, anything else becomes a bound value. */
export function part(strings: TemplateStringsArray, ...inserts: readonly unknown[]): Part {
  const texts = [strings[0]!];
  const values: unknown[] = [];
  inserts.forEach((insert, n) => {
    if (insert instanceof Part) {
      const [first = '', ...rest] = insert.texts;
      texts[texts.length - 1] += first;
      texts.push(...rest);
      values.push(...insert.values);
    } else {
      values.push(insert);
      texts.push('');
    }
    texts[texts.length - 1] += strings[n + 1]!;
  });
  return new Part(texts, values);
}

/** Text of ours as it is: never anything that came from outside. */
export function verbatim(text: string): Part {
  return new Part([text], []);
}

const statements = new Map<string, ReturnType<typeof prepared>>();

/**
 * Reads by a statement that is put together for each request, such as a list by those filters that are given: every text
 * it can come to is prepared once. Runs by itself, outside any transaction of `em`.
 */
export async function readComposed<Row extends object>(em: EntityManager, { texts, values }: Part): Promise<Row[]> {
  const text = texts.reduce((before, after, n) => `${before}$${n}${after}`);
  let statement = statements.get(text);
  if (!statement) {
    // Postgres keeps 63 characters of a name: 64 hexadecimal digits are one too many.
    statement = prepared(hash('sha256', text, 'base64url'), text);
    statements.set(text, statement);
  }
  return (await statement(em, ...values)) as Row[];
}
