import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateSecrets, type Purpose, type Secrets } from '../local/secrets.js';

/** Secrets as a directory holds them, one file for each, as orchestrators and vaults hand them out: name → content. */
export type SecretFiles = ReadonlyMap<string, string>;

export interface FoundSecrets {
  readonly secrets: Secrets;
  /** What no file had and was made now, by name. */
  readonly made: SecretFiles;
}

/** The secrets of the files; what they lack is made for the given purpose. */
export function completeSecrets(files: SecretFiles, purpose: Purpose): FoundSecrets {
  const made = new Map<string, string>();
  const complete = (fresh: object, prefix: string): object =>
    Object.fromEntries<object | string>(
      Object.entries(fresh).map(([key, value]: [string, object | string]) => {
        const name = `${prefix}${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
        if (typeof value === 'object') return [key, complete(value, `${name}.`)];
        const kept = files.get(name);
        if (!kept) made.set(name, value);
        return [key, kept || value];
      }),
    );
  return { secrets: complete(generateSecrets(purpose), '') as Secrets, made };
}

/** A last line break is not part of a secret. */
export function readSecretFiles(dir: string): SecretFiles {
  const files = readdirSync(dir, { withFileTypes: true }).filter((entry) => !entry.isDirectory());
  return new Map(files.map(({ name }) => [name, readFileSync(join(dir, name), 'utf8').trimEnd()]));
}

/** Never over one that is there. */
export function writeSecretFiles(dir: string, files: SecretFiles): void {
  for (const [name, secret] of files) writeFileSync(join(dir, name), `${secret}\n`, { mode: 0o400, flag: 'wx' });
}
