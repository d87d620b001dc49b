import type { Deployment } from '@payroll/runtime';
import { DENY_ALL, type CommandPolicy } from '@payroll/kernel';
import { defineCommand, type Command, type CommandTransaction } from '@payroll/commands';

/** Admins of the workspace in person, and back ends that drive an integration test. */
const TESTERS: CommandPolicy = { ...DENY_ALL, roles: ['admin'], teams: ['service'] };

/**
 * A command with which an admin of a test deployment plays an outsider: the worker, the provider, the bank,
 * or those who verify. It runs only as the command of a deployment; in a live one it is refused to all.
 */
export class SandboxCommand<Input, Result> {
  constructor(private readonly command: Command<Input, Result>) {}

  in(deployment: Deployment): Command<Input, Result> {
    return { ...this.command, who: deployment === 'test' ? TESTERS : DENY_ALL };
  }
}

export function defineSandboxCommand<Input, Result>(
  name: string,
  handle: (tx: CommandTransaction, input: Input) => Result | Promise<Result>,
): SandboxCommand<Input, Result> {
  return new SandboxCommand(defineCommand(name, { who: DENY_ALL, decide: handle }));
}

/** The sandbox version of a command that the outsider has as well. */
export function sandboxVersionOf<Input, Result>(
  name: string,
  command: Command<Input, Result>,
): SandboxCommand<Input, Result> {
  return new SandboxCommand({ ...command, name });
}
