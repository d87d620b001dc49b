/** A failure reported in one line that says what to do; its cause is shown only on request. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}

const somebodyElses = 'it belongs to somebody else: make it yours, or remove it';
const noFolder = 'a folder has to be there: remove it';

const advice: Readonly<Record<string, string>> = {
  EACCES: somebodyElses,
  EPERM: somebodyElses,
  EROFS: 'its disk is read-only: check out the repository elsewhere',
  ENOSPC: 'its disk is full: make room',
  EEXIST: noFolder,
  ENOTDIR: noFolder,
};

/** How to fix a file or folder, usually in `.local`, that is in a wrong state; undefined for other errors. */
export function fileProblem(error: unknown): string | undefined {
  const { code = '', path } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  return path !== undefined && code in advice ? `${path} cannot be written (${code}): ${advice[code]}` : undefined;
}
