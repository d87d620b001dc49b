/** A failure told in one line that says what to do; its cause is shown only on request. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
