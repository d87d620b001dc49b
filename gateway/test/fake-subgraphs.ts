import { SERVICES, type ServiceName } from '@payroll/kernel';
import { fastify } from 'fastify';

interface Asked {
  token: string;
  query: string;
  variables?: Record<string, unknown>;
}

export interface FakeSubgraphs extends AsyncDisposable {
  urls: Record<ServiceName, string>;
  /** Every message that a service received, with its requests. */
  messages: Record<ServiceName, Asked[][]>;
  /** A service's GraphQL response to a request; a string is sent unchanged. */
  answers: Record<ServiceName, (asked: Asked) => unknown>;
}

/** Servers that give the test's answers to the gateway library's messages. */
export async function startFakeSubgraphs(): Promise<FakeSubgraphs> {
  const stack = new AsyncDisposableStack();
  const each = <Value>(make: (service: ServiceName) => Value): Record<ServiceName, Value> =>
    Object.fromEntries(SERVICES.map((service) => [service, make(service)])) as Record<ServiceName, Value>;
  const messages = each((): Asked[][] => []);
  const answers = each((): ((asked: Asked) => unknown) => () => ({ data: null }));
  const urls = each(() => '');
  for (const service of SERVICES) {
    const server = stack.adopt(fastify(), (open) => open.close());
    server.post<{ Body: (Asked & { extensions: { token: string } })[] }>('/graphql', async (request, reply) => {
      const body = request.body.map(({ extensions, ...asked }): Asked => ({ ...asked, ...extensions }));
      messages[service].push(body);
      reply.hijack();
      const line = async (asked: Asked, place: number) => {
        const answer = await answers[service](asked);
        reply.raw.write(`${place} ${typeof answer === 'string' ? answer : JSON.stringify(answer)}\n`);
      };
      // An exception in an answer breaks the message off.
      await Promise.all(body.map(line)).catch(() => reply.raw.destroy());
      reply.raw.end();
    });
    urls[service] = `${await server.listen({ host: '127.0.0.1', port: 0 })}/graphql`;
  }
  return { urls, messages, answers, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
