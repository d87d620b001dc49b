import { oneOrTwo, StartError } from '@payroll/runtime';

/** Every process that reads one of these takes `<first>,<second>`: it uses the first and accepts both. */
const ROTATABLE = /^(?:database|nats|admission|actor-keys)\.|^confirmation-key$/;

export const ROTATION_STEPS = ['begin', 'switch', 'finish'] as const;

type RotationStep = (typeof ROTATION_STEPS)[number];

type Files = ReadonlyMap<string, string>;

/**
 * The next content of secrets' files: `<old>` → `<old>,<new>` → `<new>,<old>` → `<new>`. A process that was started with one of
 * these works with all that were started with the one before or after. So processes may restart in any order, if all have
 * restarted before the next step.
 * @param names each of a file, or of all files that begin with it and a dot
 * @param fresh a new value for each file
 * @throws StartError for another secret, and if that step is not the next one
 */
export function rotated(step: RotationStep, names: readonly string[], files: Files, fresh: Files): Files {
  const next = names.flatMap((name) => {
    const found = [...fresh.keys()].filter((each) => each === name || each.startsWith(`${name}.`));
    if (found.length === 0) throw new StartError(`there is no secret "${name}"`);
    return found.map((each) => [each, nextOf(step, each, files.get(each) ?? '', fresh.get(each)!)] as const);
  });
  return new Map(next);
}

function nextOf(step: RotationStep, name: string, text: string, fresh: string): string {
  if (!ROTATABLE.test(name)) throw new StartError(`${name} is not rotated like this: docs/operations.md, "Secrets"`);
  if (text === '') throw new StartError(`SECRETS_DIR has no ${name}`);
  const [first, second] = text.split(',');
  if (step === 'begin' && second !== undefined)
    throw new StartError(`${name} has two values, so a rotation was interrupted: rotate-secrets.sh --help`);
  if (step === 'begin') return `${first},${fresh}`;
  if (step === 'finish') return first!;
  if (second === undefined) throw new StartError(`${name} has one value, so its rotation has not begun`);
  return `${second},${first}`;
}

/** The value in use. */
export function inUse(secret: string): string {
  return secret.split(',')[0]!;
}

/** The names of secrets that have neither one value nor two different ones. */
export function malformed(files: Files): string[] {
  const isWrong = (text: string): boolean => text !== '' && oneOrTwo(text, (part) => part || undefined) === undefined;
  return [...files].flatMap(([name, text]) => (ROTATABLE.test(name) && isWrong(text) ? [name] : []));
}
