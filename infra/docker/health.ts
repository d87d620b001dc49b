import { get } from 'node:http';

/** The health check of every container of ours, run inside it: whether the process is ready. */
const { LISTEN_PORT } = process.env;
get(`http://127.0.0.1:${LISTEN_PORT}/readyz`, (answer) => {
  process.exitCode = answer.statusCode === 200 ? 0 : 1;
  answer.resume();
}).on('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
