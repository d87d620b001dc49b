import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { runMain, serveUntilStopped, createReadinessCheck } from '@payroll/runtime';

const REFUSED_BY_POSTGRES = Object.assign(new Error('insert into account: ada@example.com'), {
  code: '23505',
  detail: 'Key (email)=(ada@example.com) already exists.',
});

const NONE = { cell: null, metricsHost: '127.0.0.1', metricsPort: null, tracing: null };

/**
 * A process like ours: `/slow` takes half a second after it has printed a line, `/crash` fails with nothing to handle it, and
 * `/readyz` reports what is missing.
 * Prints its port.
 */
await runMain('served', process, {
  serve: {
    help: 'serves until it is stopped',
    usage: 'Usage: served serve <seconds to drain>\n',
    run: (_env, [seconds]) =>
      serveUntilStopped(
        'served',
        { drainSeconds: Number(seconds), logLevel: 'fatal', telemetry: NONE },
        async (drain) => {
          const missing = createReadinessCheck(drain, {});
          const server = createServer((request, response) => {
            const answer = async (): Promise<void> => {
              if (request.url === '/slow') {
                process.stdout.write('taken\n');
                await sleep(500);
              }
              if (request.url === '/crash') void Promise.reject(REFUSED_BY_POSTGRES);
              const names = request.url === '/readyz' ? await missing() : [];
              response.writeHead(names.length > 0 ? 503 : 200).end('answered');
            };
            void answer();
          });
          drain.watch(server);
          await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
          process.stdout.write(`${(server.address() as { port: number }).port}\n`);
          return { [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())) };
        },
      ),
  },
});
