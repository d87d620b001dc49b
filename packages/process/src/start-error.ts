/** A problem of the surroundings, said in one line that names the setting to look at. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
