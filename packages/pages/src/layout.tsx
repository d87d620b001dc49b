import type { Deployment } from '@payroll/runtime';
import type { ComponentChildren, VNode } from 'preact';
import { assetPath } from './assets.js';
import { Button, Form } from './forms.js';
import { capped } from './pieces.js';
import type { Problem } from './sent-form.js';

/** A link to a page above the current one. */
export interface Crumb {
  label: string;
  path: string;
}

/** A section in the navigation. */
export interface PlaceLink extends Crumb {
  isHere: boolean;
  isTest?: boolean;
  /** How many items wait there. */
  waiting?: number;
}

/** The workspace around a page, as its member or worker sees it. */
export interface WorkspaceNav {
  workspaceName: string;
  deployment: Deployment;
  /** The path of the first page. */
  home: string;
  /** The path of the search page; null for pages without a search. */
  search: string | null;
  /** The sections that this role may open, in groups. */
  navigation: readonly (readonly PlaceLink[])[];
  /** The pages above this one, the section first. */
  crumbs: readonly Crumb[];
}

/** Somebody who is signed in. */
export interface SignedInUser {
  name: string;
  /** Tells them from other people, such as an address; pages show its hash only. */
  key: string;
}

/** A sentence for the next page, marked if it reports a failure. */
export interface Notice {
  notice?: string;
  isFailure?: true;
}

interface LayoutProps {
  title: string;
  lead?: ComponentChildren;
  visitor?: SignedInUser | null;
  place?: WorkspaceNav | null;
  problems?: readonly Problem[];
  notice?: Notice | null;
  hasIslands?: boolean;
  refreshTo?: string | undefined;
  children: ComponentChildren;
}

export function Layout(props: LayoutProps): VNode {
  const { title, lead, visitor, place, problems = [], notice, hasIslands = false, refreshTo, children } = props;
  const named = [title, place?.workspaceName, 'Payroll'].filter(Boolean).join(' – ');
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <Refresh to={refreshTo} />
        <title>{problems.length > 0 ? `Error: ${named}` : named}</title>
        <link rel="stylesheet" href={assetPath('stylesheet')} />
        {hasIslands && <script type="module" src={assetPath('islands')} />}
        <link rel="icon" type="image/svg+xml" href={assetPath('icon')} />
      </head>
      <body class={place ? 'in-place' : undefined}>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <Banner visitor={visitor ?? null} place={place ?? null} />
        {place && <Navigation {...place} />}
        <main id="main" tabIndex={-1} class={place ? undefined : 'narrow'}>
          <Told notice={notice ?? null} />
          <ErrorSummary problems={problems} />
          <Crumbs of={place?.crumbs ?? []} />
          <h1>{title}</h1>
          {lead && <p class="lead">{lead}</p>}
          {children}
        </main>
      </body>
    </html>
  );
}

function Refresh({ to }: { to: string | undefined }): VNode | null {
  return to === undefined ? null : <meta http-equiv="refresh" content={`0; url=${to}`} />;
}

function Told({ notice }: { notice: Notice | null }): VNode | null {
  if (notice?.notice === undefined) return null;
  const { notice: text, isFailure = false } = notice;
  return (
    // Focused: a screen reader does not read a status that the page has from its start.
    <p class={isFailure ? 'notice notice-bad' : 'notice'} role={isFailure ? 'alert' : 'status'} tabIndex={-1} autofocus>
      {text}
    </p>
  );
}

function Banner({ visitor, place }: { visitor: SignedInUser | null; place: WorkspaceNav | null }): VNode {
  return (
    <header class="banner">
      {place && (
        <button type="button" class="button button-quiet menu-button" popovertarget="menu">
          Menu
        </button>
      )}
      <a class="brand" href={place?.home ?? '/'}>
        <img src={assetPath('icon')} alt="" width="24" height="24" />
        <span>Payroll</span>
      </a>
      {place && (
        <p class="where">
          <a href="/workspaces" title="Switch workspace">
            {place.workspaceName}
            <span class="hidden">: switch workspace</span>
          </a>{' '}
          <span class={`tag tag-${place.deployment}`}>{place.deployment === 'test' ? 'Test' : 'Live'}</span>
        </p>
      )}
      {visitor && (
        <nav class="person" aria-label="Your account">
          <a href="/account">{visitor.name}</a>
          <Form action="/sign-out">
            <Button look="plain">Sign out</Button>
          </Form>
        </nav>
      )}
    </header>
  );
}

/** Beside the page, or on a narrow screen in a popover, which opens without a script. */
function Navigation({ navigation, search }: WorkspaceNav): VNode {
  return (
    <nav class="sections" id="menu" popover="auto" aria-label="Workspace">
      <button type="button" class="button button-quiet menu-button" popovertarget="menu" popovertargetaction="hide">
        Close the menu
      </button>
      {search !== null && (
        <form class="find" role="search" aria-label="Find" action={search}>
          <label class="hidden" for="find">
            Find a contract, worker or payment
          </label>
          <input id="find" name="q" type="search" placeholder="Find…" autocomplete="off" />
          <button type="submit" class="button button-quiet">
            Find
          </button>
        </form>
      )}
      {navigation.map((group) => (
        <ul key={group[0]?.path}>
          {group.map(({ label, path, isHere, isTest = false, waiting = 0 }) => (
            <li key={path}>
              <a href={path} aria-current={isHere ? 'page' : undefined}>
                {label}
              </a>
              {isTest && <span class="tag tag-test">Test</span>}
              {waiting > 0 && (
                <span class="tag">
                  {capped(waiting)}
                  <span class="hidden"> waiting</span>
                </span>
              )}
            </li>
          ))}
        </ul>
      ))}
    </nav>
  );
}

function Crumbs({ of }: { of: readonly Crumb[] }): VNode | null {
  if (of.length === 0) return null;
  return (
    <nav class="crumbs" aria-label="Pages above">
      <ol>
        {of.map(({ label, path }) => (
          <li key={path}>
            <a href={path}>{label}</a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** The path of a section; the first section has no name in its address. */
export function sectionPath(workspaceId: string, section: string): string {
  return section === '' ? `/workspaces/${workspaceId}` : `/workspaces/${workspaceId}/${section}`;
}

/** The path of a worker's pages in a workspace. */
export function workPath(workspaceId: string): string {
  return `/work/${workspaceId}`;
}

function ErrorSummary({ problems }: { problems: readonly Problem[] }): VNode | null {
  if (problems.length === 0) return null;
  return (
    <div class="summary" role="alert" tabIndex={-1} autofocus aria-labelledby="summary-title">
      <h2 id="summary-title">There is a problem</h2>
      <ul>
        {problems.map(({ field, message }) => (
          <li key={message}>{field === null ? message : <a href={`#${field}`}>{message}</a>}</li>
        ))}
      </ul>
    </div>
  );
}
