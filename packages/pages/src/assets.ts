import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { FastifyPluginAsync } from 'fastify';

/** Files in `dist` are written by the last step of the build, so they are read when pages are served, not on import. */
const FILES = {
  stylesheet: [new URL('../dist/site.css', import.meta.url), 'text/css; charset=utf-8'],
  icon: [new URL('../assets/icon.svg', import.meta.url), 'image/svg+xml'],
  islands: [new URL('../dist/islands.js', import.meta.url), 'text/javascript; charset=utf-8'],
} as const;

type Name = keyof typeof FILES;

const known = new Map<Name, ReturnType<typeof read>>();

/** The name has a digest of the content, so browsers may cache it permanently. */
function read(name: Name) {
  const [file, type] = FILES[name];
  const text = readFileSync(file, 'utf8');
  const digest = hash('sha256', text, 'hex').slice(0, 12);
  return { path: `/assets/${basename(file.pathname).replace('.', `.${digest}.`)}`, type, text };
}

function asset(name: Name) {
  const found = known.get(name) ?? read(name);
  known.set(name, found);
  return found;
}

export function assetPath(name: Name): string {
  return asset(name).path;
}

export const assets: FastifyPluginAsync = (app) => {
  for (const name of Object.keys(FILES) as Name[]) {
    const { path, type, text } = asset(name);
    app.get(path, (_request, reply) =>
      reply.type(type).header('Cache-Control', 'public, max-age=31536000, immutable').send(text),
    );
  }
  return Promise.resolve();
};
