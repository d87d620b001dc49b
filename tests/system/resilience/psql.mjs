#!/usr/bin/env -S node --
// Replaces psql on machines without it: supports the commands that infra/maintenance/archive.sh uses. PGURL has the address.
import { execSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import pg from 'pg';

const client = new pg.Client(process.env.PGURL);
await client.connect();
let out = process.stdout.fd;
for (const line of (await text(process.stdin)).split('\n').filter(Boolean)) {
  const [, command, rest] = /^\\(\S+) (.*)$/.exec(line) ?? [];
  if (command === '!') execSync(rest, { stdio: 'inherit' });
  else if (command === 'o') out = rest;
  else {
    const { rows } = await client.query({ text: line, rowMode: 'array' });
    writeFileSync(out, rows.map((row) => `${row.join('|')}\n`).join(''));
  }
}
await client.end();
