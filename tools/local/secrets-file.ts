import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { StartError } from '@payroll/runtime';
import { generateSecrets, type Secrets } from '@payroll/infra/secrets';

/** Generated once and stored beside the data that they protect; a newer version adds its own. */
export function loadSecrets(file: string): Secrets {
  const kept = readKept(file);
  const secrets = fillIn(generateSecrets(), kept) as Secrets;
  const text = `${JSON.stringify(secrets, null, 2)}\n`;
  if (JSON.stringify(kept) !== JSON.stringify(secrets)) writeFileSync(file, text, { mode: 0o600 });
  return secrets;
}

function readKept(file: string): unknown {
  if (!existsSync(file)) return {};
  const text = readFileSync(file, 'utf8');
  try {
    return JSON.parse(text);
  } catch {
    throw new StartError(`${file} is not JSON: mend it, or remove it and the data beside it to begin anew`);
  }
}

function fillIn(fresh: unknown, kept: unknown): unknown {
  if (typeof fresh !== 'object' || fresh === null) return typeof kept === typeof fresh ? kept : fresh;
  const old = (typeof kept === 'object' && kept !== null ? kept : {}) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(fresh).map(([name, value]) => [name, fillIn(value, old[name])]));
}
