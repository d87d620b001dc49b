import { Time } from '@payroll/pages';
import type { VNode } from 'preact';
import { byText } from '../review/words.js';
import type { Subject } from './subjects.js';
import type { Entry } from './trails.js';
import { actionText, factTexts, subjectPath } from './words.js';

interface TimelineProps {
  entries: readonly Entry[];
  home: string;
  /** By id; without those of a page of one thing. */
  subjects?: ReadonlyMap<string, Subject>;
  /** On the page of a contract or payment, entries do not link to it. */
  isOfOneThing?: boolean;
}

/** Activity entries, newest first. */
export function Timeline({ entries, home, subjects, isOfOneThing = false }: TimelineProps): VNode {
  return (
    <ol class="timeline">
      {entries.map((entry) => {
        const [words, href] = [actionText(entry.action, subjects?.get(entry.subjectId)), subjectPath(home, entry)];
        return (
          <li key={entry.id}>
            {isOfOneThing || href === null ? words : <a href={href}>{words}</a>}
            <p class="hint">
              {[...factTexts(entry).slice(0, 2), byText({ ...entry, rule: null })].join(' · ')} · <Time at={entry.at} />
            </p>
          </li>
        );
      })}
    </ol>
  );
}

interface HistoryProps extends Pick<TimelineProps, 'entries' | 'home'> {
  id: string;
}

/** The newest activity of a contract or payment, with a link to all of it. */
export function History({ entries, home, id }: HistoryProps): VNode {
  return (
    <>
      <h2>Activity</h2>
      <Timeline entries={entries} home={home} isOfOneThing />
      <p>
        <a href={`${home}/activity?about=${id}`}>All activity</a>
      </p>
    </>
  );
}
