import { progress } from '@payroll/tools/cli';
import { Person } from '@payroll/tools/demo/person';
import type { DemoWorkspace } from '@payroll/tools/local/stack-file';
import { quantile } from '@payroll/tools/operate/requests';
import { load } from './measure.js';
import { copiesOf } from '../copied-rows.js';
import type { Table } from '../table.js';
import type { Stage } from './stage.js';

const WAITING = 100_000;
/** With some 20 pages of a person and the first quarter for warm-up, this stays below 600 requests a minute. */
const REQUESTS = 24;
/** Sections whose first entry has its own page. */
const WITH_THINGS = ['/review', '/contracts', '/workers', '/payments'];

/** Copies a submitted timesheet, a second apart. */
const FILL = copiesOf(
  'review.timesheet',
  "t.ctid = (select ctid from review.timesheet where workspace_id = $1 and status = 'submitted' limit 1)",
  `'id', uuidv7(), 'submitted_at', t.submitted_at + n * interval '1 s'`,
);

/** Latency of pages that people open one after the other, with this much work waiting for review. */
export async function measurePages({ stack, ours }: Stage, share: number): Promise<Table> {
  const [workspace] = stack.file.workspaces ?? [];
  const waiting = Math.ceil(WAITING * share);
  progress(`pages: ${waiting} pieces of work that wait …`);
  await ours.database.query(FILL, [workspace!.id, waiting]);
  await ours.database.query('vacuum analyze review.timesheet');
  const { url } = stack.file.app!;
  const visitor = await signedIn(url, workspace!, 'admin');
  const overview = `/workspaces/${workspace!.id}`;
  const rows: string[][] = [];
  for (const path of await sectionsFrom(visitor, overview)) {
    const name = path.slice(overview.length) || '/';
    progress(`pages: ${name} …`);
    rows.push(await measure(visitor, name, path));
    const thing = WITH_THINGS.includes(name) ? await firstThing(visitor, path) : undefined;
    if (thing !== undefined) rows.push(await measure(visitor, `one of ${name}`, thing));
  }
  const worker = await signedIn(url, workspace!, 'worker');
  for (const [name, path] of await pagesOfWorker(worker, workspace!.id)) {
    progress(`pages: ${name} …`);
    rows.push(await measure(worker, name, path));
  }
  const { pieces, ms } = await approveAtOnce(visitor, `${overview}/review`);
  return {
    title: `Pages, one after the other, while ${waiting} pieces of work wait; and ${pieces} of them approved at once`,
    heads: ['', 'p50 ms', 'p99 ms', 'KB with all files'],
    rows: [...rows, [`${pieces} approved`, ms.toFixed(0), '', '']],
  };
}

/** A person of the demo, as a browser without script, styles and pictures. */
export async function signedIn(url: string, { users = [] }: DemoWorkspace, role: string): Promise<Person> {
  const { email, password } = users.find((user) => user.role === role)!;
  const person = new Person(url);
  await person.signIn(email, password);
  return person;
}

/** In the order of the navigation. */
async function sectionsFrom(visitor: Person, overview: string): Promise<string[]> {
  const [navigation = ''] = /<nav class="sections"[^]*?<\/nav>/.exec((await visitor.open(overview)).html) ?? [];
  const links = [...navigation.matchAll(/href="([^"]*)"/g)].map(([, link]) => link!);
  return links.filter((link) => link.startsWith(overview));
}

/** One page of each kind that a worker reaches by links: name → path. */
async function pagesOfWorker(worker: Person, workspaceId: string): Promise<Map<string, string>> {
  const found = new Map([['/work', '/work']]);
  // A map's iteration goes on to what is added meanwhile.
  for (const path of found.values()) {
    const { html } = await worker.open(path);
    for (const [, link] of html.matchAll(/<a [^>]*href="(\/work(?:\/[^"?.]*)?)"/g)) {
      const name = link!.replace(workspaceId, ':ws').replaceAll(/[0-9a-f-]{36}/g, ':id');
      if (!found.has(name)) found.set(name, link!);
    }
  }
  return found;
}

async function firstThing(visitor: Person, section: string): Promise<string | undefined> {
  const { html } = await visitor.open(section);
  return /<tbody>[^]*?href="([^"]*)"/.exec(html)?.[1];
}

async function measure(visitor: Person, title: string, path: string): Promise<string[]> {
  const request = () => ({ method: 'GET', path, headers: { cookie: visitor.cookie } }) as const;
  await load(visitor.url, { connections: 1, count: REQUESTS / 4, request });
  const { latencies } = await load(visitor.url, { connections: 1, count: REQUESTS, request });
  const [p50, p99] = [0.5, 0.99].map((each) => quantile(each, latencies).toFixed(1));
  return [title, p50!, p99!, (await weight(visitor, path)).toFixed(0)];
}

/** In KB with styles, icon and script, as on a first visit. */
async function weight(visitor: Person, path: string): Promise<number> {
  const { html } = await visitor.open(path);
  const files = [...html.matchAll(/(?:href|src)="(\/assets\/[^"]*)"/g)].map(([, file]) => visitor.open(file!));
  return [html, ...(await Promise.all(files)).map((file) => file.html)].join('').length / 1024;
}

/** Approves the whole first page of the queue: from the button to the page with every outcome. */
async function approveAtOnce(visitor: Person, queue: string): Promise<{ pieces: number; ms: number }> {
  const page = await visitor.open(queue);
  const pieces = [...page.html.matchAll(/name="piece" value="([^"]*)"/g)];
  const listed = await visitor.send(page, `${queue}/confirm`, { piece: pieces.map(([, piece]) => piece!) });
  const sentAt = performance.now();
  const { status, html } = await visitor.send(listed, `${queue}/approve`, {});
  if (status !== 200) throw new Error(`the approval answered ${status}: ${html.slice(0, 200)}`);
  return { pieces: pieces.length, ms: performance.now() - sentAt };
}
