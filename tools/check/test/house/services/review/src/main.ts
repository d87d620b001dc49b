// Allowed: a main.ts reads the environment.
export const port = process.env['LISTEN_PORT'];
