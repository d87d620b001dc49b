/** A person who works under contracts of the workspace. */
export interface Worker {
  id: string;
  name: string;
  email: string;
}
