import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import openProps from 'open-props';
import postcss from 'postcss';
import jitProps from 'postcss-jit-props';
import { defineConfig } from 'rolldown';
import { processes } from '../../infra/dist/processes.js';

const dir = resolve('dist');

/** Each process as a few files: most of a start is otherwise finding and opening 700 to 1,200 modules (docs/adr/27). */
const server = defineConfig({
  input: Object.fromEntries(processes.map(({ name, watched }) => [name, watched])),
  platform: 'node',
  // Optional dependencies that are never installed; a library with files beside it; one whose use of deprecated API Node
  // reports unless it is inside node_modules.
  external: ['pg-native', 'class-validator', 'altair-static', 'node-fetch'],
  plugins: [
    {
      // Modules still find the files beside them: migrations, styles, the supergraph.
      name: 'where-it-was',
      transform: {
        filter: { id: /^\//, code: /import\.meta\.(url|dirname)/ },
        handler: (code, id) =>
          code
            .replaceAll('import.meta.url', `new URL('${relative(dir, id)}', import.meta.url).href`)
            .replaceAll(
              'import.meta.dirname',
              `decodeURIComponent(new URL('${relative(dir, dirname(id))}', import.meta.url).pathname)`,
            ),
      },
    },
  ],
  // Entities and GraphQL types are known by the names of their classes.
  output: { dir, cleanDir: true, keepNames: true },
  checks: { eval: false },
  onLog: (level, log, report) => report(level === 'warn' ? 'error' : level, log),
});

/** The stylesheet, with the tokens of Open Props that it uses. */
async function stylesheet() {
  const from = 'packages/pages/assets/site.css';
  const { css } = await postcss([jitProps(openProps)]).process(readFileSync(from, 'utf8'), { from });
  writeFileSync('packages/pages/dist/site.css', css);
}

/** The islands of the pages as one file, and the styles. */
const browser = defineConfig({
  input: 'packages/pages/islands/main.ts',
  platform: 'browser',
  plugins: [{ name: 'stylesheet', writeBundle: stylesheet }],
  output: { file: 'packages/pages/dist/islands.js', minify: true },
});

export default [server, browser];
