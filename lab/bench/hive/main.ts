import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRouter } from '@payroll/tests/judges/hive/router';

/** Hive's gateway, planning in Rust, over a supergraph: a separate process, like the bare handler. */
const { SUPERGRAPH, LISTEN_PORT } = process.env;
const router = createRouter(await readFile(SUPERGRAPH!, 'utf8'), 'Rust');
const server = createServer(router).listen(Number(LISTEN_PORT), '127.0.0.1');
process.once('SIGTERM', () => {
  server.closeAllConnections();
  server.close(() => void router[Symbol.asyncDispose]());
});
