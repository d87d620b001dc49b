import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyPluginAsync } from 'fastify';

/** Named by its content: browsers may keep it for ever, and a new one has a new name. */
function asset(name: string, extension: string, type: string) {
  const text = readFileSync(new URL(`../assets/${name}.${extension}`, import.meta.url), 'utf8');
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 12);
  return { path: `/assets/${name}.${digest}.${extension}`, type, text };
}

const stylesheet = asset('site', 'css', 'text/css; charset=utf-8');
const icon = asset('icon', 'svg', 'image/svg+xml');

export const STYLESHEET = stylesheet.path;
export const ICON = icon.path;

export const assets: FastifyPluginAsync = (app) => {
  for (const { path, type, text } of [stylesheet, icon]) {
    app.get(path, (_request, reply) =>
      reply.type(type).header('Cache-Control', 'public, max-age=31536000, immutable').send(text),
    );
  }
  return Promise.resolve();
};
