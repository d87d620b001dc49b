import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '@payroll/infra/processes';

export interface DocumentedCommand {
  readonly file: string;
  /** One command, or a block of commands that belong together. */
  readonly text: string;
}

/** Running text that begins like this is a command that a reader will type. */
const COMMAND =
  /^(?:[A-Z_]+=\S+ )*(?:npm|npx|node|curl|docker|docker-compose|eval|promtool|(?:infra|tests)\/\S+\.sh)(?= [\w@<$-])(?! --[\w-]+$)|^(?:infra|tests)\/\S+\.sh$/;

function documents(): string[] {
  return execFileSync('git', ['ls-files', '*.md'], { cwd: repositoryRoot, encoding: 'utf8' }).trim().split('\n');
}

const read = (file: string): string => readFileSync(join(repositoryRoot, file), 'utf8');

const withoutFences = (markdown: string): string => markdown.replaceAll(/^ *```.*?^ *```/gms, '');

/** Every shell block, and every command in running text, of every document in the repository. */
export function documentedCommands(): DocumentedCommand[] {
  return documents().flatMap((file) => {
    const markdown = read(file);
    const blocks = [...markdown.matchAll(/^ *```sh\n(.*?)^ *```/gms)].map(([, block]) => block!);
    const spans = [...withoutFences(markdown).matchAll(/`([^`]+)`/g)].map(([, span]) => span!.replaceAll(/\s+/g, ' '));
    return [...blocks, ...new Set(spans.filter((span) => COMMAND.test(span)))].map((text) => ({ file, text }));
  });
}

/** Blocks whose commands would be overlooked: fenced without a language, or only indented. */
export function unnamedBlocks(): string[] {
  return documents().flatMap((file) => {
    const markdown = read(file);
    const opening = [...markdown.matchAll(/^ *```(\w*)\n.*?^ *```/gms)].filter(([, language]) => language === '');
    const indented = withoutFences(markdown).matchAll(/(?<=\n\n) {4,}(?![-*] |\d)\S.*/g);
    return [...opening, ...indented].map(([text]) => `${file}: ${text.split('\n').slice(0, 2).join(' ')}`);
  });
}
