import { buildIfStale } from './build.mjs';
import { installIfNeeded } from './install.mjs';
import { missingNats, thisHost } from './nats-server.mjs';
import { StepFailed } from './step.mjs';

/** What must be there before anything of ours can run. What only a person can do is said before minutes are spent. */
export async function prepare(root, { isVerbose, needsBackends = true, needsBuild = true, host = thisHost() }) {
  if (Number(process.versions.node.split('.')[0]) < 20) {
    throw new StepFailed(`Node ${process.versions.node} is too old: install Node 20 or newer`);
  }
  const missing = needsBackends ? missingNats(host) : undefined;
  if (missing !== undefined) throw new StepFailed(missing);
  await installIfNeeded(root, { isVerbose });
  if (needsBuild) await buildIfStale(root, { isVerbose });
}
