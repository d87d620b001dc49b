import { oneSentence } from '@payroll/process';
import { connect } from 'nats';
import { StartupError } from './startup-error.js';

const ANSWERS_WITHIN_MS = 5_000;

/** Processes wait for a NATS that is away, so that a wrong address is told here, and not a minute later. */
export async function requireNats(url: string): Promise<void> {
  const { host, username: user, password: pass } = new URL(url);
  const who = user === '' ? {} : { user: decodeURIComponent(user), pass: decodeURIComponent(pass) };
  const advice = 'start it, correct the address, or unset it to use a server of our own';
  let hasJetStream: boolean | undefined;
  try {
    const connection = await connect({ servers: host, ...who, reconnect: false, timeout: ANSWERS_WITHIN_MS });
    hasJetStream = connection.info?.jetstream;
    await connection.close();
  } catch (error) {
    throw new StartupError(`NATS_URL: no NATS lets us in at ${host} (${oneSentence(error)}): ${advice}`, {
      cause: error,
    });
  }
  if (!hasJetStream) throw new StartupError(`NATS_URL: the server at ${host} has no JetStream: start it with -js`);
}
