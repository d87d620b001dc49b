import { get } from 'node:http';

/** Health check, run inside each of our containers: prints whether the process is ready, and if not, what it waits for. */
const { LISTEN_PORT } = process.env;
get(`http://127.0.0.1:${LISTEN_PORT}/readyz`, (answer) => {
  process.exitCode = answer.statusCode === 200 ? 0 : 1;
  if (answer.statusCode === 200) answer.resume();
  else answer.pipe(process.stdout);
}).on('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
