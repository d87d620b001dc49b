import { ROLE_SCOPES } from '@payroll/kernel';
import { Codes, DefinitionList } from '@payroll/pages';
import type { RouteTable } from '../routes.js';
import { requireMember } from '../workspace-context.js';
import { ROLE_MEANINGS, ROLE_NAMES } from './members/roles.js';

/** A member's own role in the workspace, and how to leave it. */
export const membershipPages: RouteTable = {
  'GET /workspaces/:workspaceId/membership': async (ctx) => {
    const { role, membershipId, home, names, email } = await requireMember(ctx);
    const body = (
      <>
        <DefinitionList
          of={{
            'You are': `${names.person} (${email})`,
            'Your role': (
              <>
                {ROLE_NAMES[role]}
                <p class="hint">{ROLE_MEANINGS[role]}</p>
              </>
            ),
            'What may act for you': (
              <>
                <Codes of={ROLE_SCOPES[role]} />
                <p class="hint">Your keys and connections can never do more than this, whatever scopes they have.</p>
              </>
            ),
          }}
        />
        <p>
          <a href={`${home}/members/${membershipId}/remove`}>Leave this workspace</a>
        </p>
      </>
    );
    return { title: 'Your membership', body };
  },
};
