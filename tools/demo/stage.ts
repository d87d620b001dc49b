import { BALANCES } from './operations.js';
import { sendGraphql, type GraphqlAccess } from './graphql-client.js';
import type { ShownPage } from './person.js';

export class BrokenPromise extends Error {}

/** Runs the demo: sends real requests, prints them with their responses, and stops at the first broken promise. */
export class Stage {
  constructor(
    private readonly restUrl: string,
    readonly access: GraphqlAccess,
  ) {}

  title(text: string): void {
    console.log(`\n── ${text}`);
  }

  promise(kept: boolean, sentence: string): void {
    if (!kept) throw new BrokenPromise(`not as promised: ${sentence}`);
    console.log(`  ✓ ${sentence}`);
  }

  async rest(
    key: string,
    method: string,
    path: string,
    status: number,
    body?: object,
    idempotencyKey?: string,
  ): Promise<Record<string, unknown>> {
    const response = await fetch(this.restUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Record<string, unknown>;
    const replayed = response.headers.get('idempotency-replayed') === 'true' ? ' (replayed)' : '';
    console.log(`\n${method} /v1${path}${body ? ` ${JSON.stringify(body)}` : ''}`);
    console.log(`  ${response.status}${replayed} ${JSON.stringify(answer)}`);
    this.promise(response.status === status, `${method} answers ${status}`);
    return answer;
  }

  /** The value of the operation's only field; uses the application's token by default. */
  async graphql<T>(query: string, variables: object, token = this.access.token): Promise<T> {
    console.log(`\nGraphQL ${query.replaceAll(/\s+/g, ' ')} ${JSON.stringify(variables)}`);
    const answer = await sendGraphql({ ...this.access, token }, query, variables);
    console.log(`  ${JSON.stringify(answer)}`);
    if (answer.errors || !answer.data) throw new BrokenPromise('the internal endpoint refused it');
    return Object.values(answer.data)[0] as T;
  }

  /** Opens a page, or sends its form, and prints the title of the page that follows. */
  async page(did: string, shown: Promise<ShownPage>): Promise<ShownPage> {
    const page = await shown;
    const [, title = ''] = /<title>([^<]*)/.exec(page.html) ?? [];
    console.log(`\n${did}\n  ${page.status} ${page.path} ${title}`);
    if (page.status !== 200) throw new BrokenPromise('the page refused it');
    return page;
  }

  /** The workspace's available balance in euros. */
  async available(): Promise<string> {
    const { available } = await this.graphql<{ available: { amount: string; currency: string }[] }>(BALANCES, {});
    return available.find(({ currency }) => currency === 'EUR')?.amount ?? '0';
  }
}
