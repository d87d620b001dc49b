import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';

const started: ChildProcess[] = [];
afterEach(() => started.splice(0).forEach((child) => child.kill('SIGKILL')));

/** A separate process, because signals are sent to processes. */
async function serve(seconds: number): Promise<{ child: ChildProcess; url: string; ended: Promise<unknown[]> }> {
  const entry = fileURLToPath(new URL('./served.js', import.meta.url));
  const args = ['--conditions=@payroll/source', '--import=tsx', entry, 'serve', String(seconds)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(child);
  const ended = once(child, 'exit');
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  return { child, url: `http://127.0.0.1:${line.toString().trim()}`, ended };
}

async function ask(url: string, agent: Agent): Promise<IncomingMessage> {
  const [answer] = (await once(get(url, { agent }), 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  return answer;
}

const keepAlive = (): Agent => new Agent({ keepAlive: true, maxSockets: 1 });

it('after SIGTERM it is not ready but still answers, and makes clients reconnect', async () => {
  const { child, url, ended } = await serve(1);
  const [balancer, client] = [keepAlive(), keepAlive()];
  expect((await ask(`${url}/readyz`, balancer)).statusCode).toBe(200);
  expect((await ask(url, client)).headers.connection).toBe('keep-alive');
  child.kill('SIGTERM');
  await expect.poll(async () => (await ask(`${url}/readyz`, balancer)).statusCode).toBe(503);
  const last = await ask(url, client);
  expect([last.statusCode, last.headers.connection]).toEqual([200, 'close']);
  expect(await ended).toEqual([0, null]);
});

it('requests in progress are finished, and idle connections do not delay the end', async () => {
  const { child, url, ended } = await serve(0);
  await ask(url, keepAlive());
  const client = keepAlive();
  await ask(url, client);
  const slow = ask(`${url}/slow`, client);
  await once(child.stdout!, 'data');
  child.kill('SIGTERM');
  const answer = await slow;
  expect([answer.statusCode, answer.headers.connection]).toEqual([200, 'close']);
  expect(await ended).toEqual([0, null]);
});

it('after a second signal it ends at once', async () => {
  const { child, url, ended } = await serve(600);
  const balancer = keepAlive();
  child.kill('SIGTERM');
  await expect.poll(async () => (await ask(`${url}/readyz`, balancer)).statusCode).toBe(503);
  child.kill('SIGINT');
  expect(await ended).toEqual([null, 'SIGINT']);
});

it('a failure that nothing handles is one line of level 60, without values, and ends the process', async () => {
  const { child, url, ended } = await serve(0);
  const printed: string[] = [];
  for (const output of [child.stdout!, child.stderr!]) output.on('data', (text: Buffer) => printed.push(String(text)));
  await ask(`${url}/crash`, keepAlive()).catch(() => undefined);
  expect(await ended).toEqual([1, null]);
  expect(printed.join('').match(/\n/g)).toHaveLength(1);
  expect(JSON.parse(printed.join(''))).toMatchObject({ level: 60, name: 'served', error: { code: '23505' } });
  expect(printed.join('')).not.toContain('ada@example.com');
});
