import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { FastifyPluginAsync } from 'fastify';

/** Named by its content: browsers may keep it for ever, and a new one has a new name. */
function asset(file: URL, type: string) {
  const text = readFileSync(file, 'utf8');
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 12);
  return { path: `/assets/${basename(file.pathname).replace('.', `.${digest}.`)}`, type, text };
}

const stylesheet = asset(new URL('../assets/site.css', import.meta.url), 'text/css; charset=utf-8');
const icon = asset(new URL('../assets/icon.svg', import.meta.url), 'image/svg+xml');

export const STYLESHEET = stylesheet.path;
export const ICON = icon.path;

let islands: ReturnType<typeof asset> | undefined;

/** Of `islands/`, made by the build's last step: read where pages are served, and not by commands that the step waits for. */
function islandsAsset() {
  islands ??= asset(new URL('../dist/islands.js', import.meta.url), 'text/javascript; charset=utf-8');
  return islands;
}

export function islandsPath(): string {
  return islandsAsset().path;
}

export const assets: FastifyPluginAsync = (app) => {
  for (const { path, type, text } of [stylesheet, icon, islandsAsset()]) {
    app.get(path, (_request, reply) =>
      reply.type(type).header('Cache-Control', 'public, max-age=31536000, immutable').send(text),
    );
  }
  return Promise.resolve();
};
