import type { Role } from '@payroll/kernel';
import type { ComponentChildren, VNode } from 'preact';
import { ICON, islandsPath, STYLESHEET } from './assets.js';
import { Button, Form } from './forms.js';
import type { Notice } from './notice.js';
import type { Problem } from './sent-form.js';

export type Room =
  | 'overview'
  | 'review'
  | 'contracts'
  | 'workers'
  | 'payments'
  | 'money'
  | 'activity'
  | 'sandbox'
  | 'membership'
  | 'keys'
  | 'members'
  | 'integration'
  | 'connections';

/** A page of a workspace, for somebody who belongs to it. */
export interface Place {
  workspaceId: string;
  workspaceName: string;
  role: Role;
  /** Null at an address that names no room. */
  room: Room | null;
  deployment: 'test' | 'live';
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
        {place && <Rooms {...place} />}
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

interface Shown {
  room: Room;
  label: string;
  isForAll: boolean;
  isTest?: true;
}

const ROOMS: readonly Shown[] = [
  { room: 'overview', label: 'Overview', isForAll: true },
  { room: 'review', label: 'Review', isForAll: true },
  { room: 'contracts', label: 'Contracts', isForAll: true },
  { room: 'workers', label: 'Workers', isForAll: true },
  { room: 'payments', label: 'Payments', isForAll: true },
  { room: 'money', label: 'Money', isForAll: true },
  { room: 'activity', label: 'Activity', isForAll: true },
  { room: 'sandbox', label: 'Sandbox', isForAll: false, isTest: true },
  { room: 'keys', label: 'API keys', isForAll: false },
  { room: 'members', label: 'Members', isForAll: false },
  { room: 'integration', label: 'Integration', isForAll: false },
  { room: 'connections', label: 'Connections', isForAll: true },
];

function Rooms({ workspaceId, workspaceName, role, room: here, deployment }: Place): VNode {
  const rooms = ROOMS.filter(
    ({ isForAll, isTest }) => (isForAll || role === 'admin') && (!isTest || deployment === 'test'),
  );
  return (
    <nav class="rooms" aria-label="Workspace">
      <div class="wide">
        <p class="workspace">
          {workspaceName} <a href="/workspaces">Switch workspace</a>
        </p>
        <ul>
          {rooms.map(({ room, label }) => (
            <li key={room}>
              <a href={roomPath(workspaceId, room)} aria-current={room === here ? 'page' : undefined}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </nav>
  );
}

export function roomPath(workspaceId: string, room: Room): string {
  return room === 'overview' ? `/workspaces/${workspaceId}` : `/workspaces/${workspaceId}/${room}`;
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
