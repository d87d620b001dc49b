import { parseArgs } from 'node:util';
import { newId, systemOrigin } from '@payroll/kernel';
import { readSettings, StartError, type MainCommand } from '@payroll/process';
import { NO_WORKSPACE } from '../commands/internal-tokens.js';
import { rotateSigningKey } from '../commands/rotate-signing-key.js';
import { newSigningKey } from '../oauth/signing-key.js';
import { withCommands } from './with-commands.js';

const USAGE = `Usage: rotate-signing-key [--lead-seconds <0-86400>] [--compromised]

Publishes a new key of the authorization server and prints its id. It signs after --lead-seconds (300 unless said
otherwise), so that everybody knows it by then; the old one counts until its last token is over. Nobody is signed out.
With --compromised the new key signs at once and nothing that older keys signed counts any more: assistants get new
tokens by themselves. The audit trail tells of it under the workspace ${NO_WORKSPACE}, which is nobody's.
`;

export const rotateSigningKeyCommand: MainCommand = {
  help: 'gives the authorization server a new key',
  usage: USAGE,
  run: async (env, args) => {
    const input = readArguments(args);
    const key = await newSigningKey(readSettings(env, (s) => s.key('OAUTH_SECRET')));
    await withCommands(env, async (commands) => {
      await commands.run(rotateSigningKey, { key, ...input }, systemOrigin(NO_WORKSPACE, 'runner', newId()));
    });
    process.stdout.write(`${key.kid}\n`);
  },
};

function readArguments(args: readonly string[]): { leadSeconds: number; withdrawOthers: boolean } {
  const { values } = parseArgs({
    args: [...args],
    options: { 'lead-seconds': { type: 'string', default: '300' }, compromised: { type: 'boolean', default: false } },
  });
  const leadSeconds = Number(values['lead-seconds']);
  if (!Number.isInteger(leadSeconds) || leadSeconds < 0 || leadSeconds > 86_400) {
    throw new StartError('--lead-seconds is a whole number from 0 to 86400');
  }
  return { leadSeconds: values.compromised ? 0 : leadSeconds, withdrawOthers: values.compromised };
}
