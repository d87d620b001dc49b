import type { ComponentChildren, VNode } from 'preact';
import { ICON, islandsPath, STYLESHEET } from './assets.js';
import { Button, Form } from './forms.js';
import type { Notice } from './notice.js';
import type { Problem } from './sent-form.js';

/** A page of a workspace, for somebody who belongs to it. */
export interface Place {
  workspaceName: string;
  /** The sections that this role may open, with their addresses. */
  navigation: readonly { label: string; path: string; isHere: boolean }[];
}

/** Somebody who is signed in. */
export interface Visitor {
  name: string;
}

interface LayoutProps {
  title: string;
  lead?: ComponentChildren;
  visitor?: Visitor | null;
  place?: Place | null;
  problems?: readonly Problem[];
  notice?: Notice | null;
  hasIslands?: boolean;
  children: ComponentChildren;
}

export function Layout(props: LayoutProps): VNode {
  const { title, lead, visitor, place, problems = [], notice, hasIslands = false, children } = props;
  const named = [title, place?.workspaceName, 'Payroll'].filter(Boolean).join(' – ');
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{problems.length > 0 ? `Error: ${named}` : named}</title>
        <link rel="stylesheet" href={STYLESHEET} />
        {hasIslands && <script type="module" src={islandsPath()} />}
        <link rel="icon" type="image/svg+xml" href={ICON} />
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <Banner visitor={visitor ?? null} />
        {place && <Navigation {...place} />}
        <main id="main" tabIndex={-1} class={place ? undefined : 'narrow'}>
          {notice?.notice !== undefined && (
            <p class={notice.isFailure ? 'notice notice-bad' : 'notice'} role={notice.isFailure ? 'alert' : 'status'}>
              {notice.notice}
            </p>
          )}
          <ErrorSummary problems={problems} />
          <h1>{title}</h1>
          {lead && <p class="lead">{lead}</p>}
          {children}
        </main>
      </body>
    </html>
  );
}

function Banner({ visitor }: { visitor: Visitor | null }): VNode {
  return (
    <header class="banner">
      <div class="wide">
        <a class="brand" href="/">
          Payroll
        </a>
        {visitor && (
          <nav aria-label="Your account">
            <a href="/account">{visitor.name}</a>
            <Form action="/sign-out">
              <Button look="plain">Sign out</Button>
            </Form>
          </nav>
        )}
      </div>
    </header>
  );
}

function Navigation({ workspaceName, navigation }: Place): VNode {
  return (
    <nav class="sections" aria-label="Workspace">
      <div class="wide">
        <p class="workspace">
          {workspaceName} <a href="/workspaces">Switch workspace</a>
        </p>
        <ul>
          {navigation.map(({ label, path, isHere }) => (
            <li key={path}>
              <a href={path} aria-current={isHere ? 'page' : undefined}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </nav>
  );
}

/** Of a section of a workspace; the first one has no name in its address. */
export function sectionPath(workspaceId: string, section: string): string {
  return section === '' ? `/workspaces/${workspaceId}` : `/workspaces/${workspaceId}/${section}`;
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
