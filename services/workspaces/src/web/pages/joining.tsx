import type { VNode } from 'preact';
import type { Account } from '../../accounts/sessions.js';
import { Button, Field, Form } from '../forms.js';
import { NewPasswordFields } from '../password-fields.js';
import type { Problems } from '../problems.js';
import { signInPath } from '../visitor.js';

/** Who is signed in joins as who they are, whatever address the invitation was made out to: they hold its link. */
export function JoinAsAccount({ path, account }: { path: string; account: Account }): VNode {
  return (
    <>
      <p>
        You are signed in as {account.name} ({account.email}).
      </p>
      <Form action={path}>
        <Button>Join</Button>
      </Form>
      <p class="hint">Not you? Sign out first, then open the link again.</p>
    </>
  );
}

export interface NewcomerProps {
  path: string;
  email: string;
  name: string;
  problems: Problems;
}

export function JoinAsNewcomer({ path, email, name, problems }: NewcomerProps): VNode {
  return (
    <>
      <p>
        Already have an account? <a href={signInPath(path)}>Sign in</a> to join. If not, create one here.
      </p>
      <Form action={path}>
        <div class="field">
          <label for="email">E-mail address</label>
          <p class="hint" id="email-hint">
            You will sign in with it
          </p>
          <input id="email" type="email" value={email} readOnly autocomplete="username" aria-describedby="email-hint" />
        </div>
        <Field name="name" label="Your name" value={name} autocomplete="name" problems={problems} />
        <NewPasswordFields problems={problems} />
        <Button>Create the account and join</Button>
      </Form>
    </>
  );
}
