import { graphql, type ResultOf, type RowOf } from '../../operations.js';

const SOMEBODY = 'name email role';

export const readMembers = graphql(`
  query members($cursor: String, $invitationCursor: String) {
    members(cursor: $cursor) { nodes { id ${SOMEBODY} hasAccount createdAt } nextCursor }
    invitations(cursor: $invitationCursor) { nodes { id ${SOMEBODY} expiresAt } nextCursor }
    membersWithoutSecondFactor { id }
    business { secondFactorRequired }
  }`);

export type Members = ResultOf<typeof readMembers>['members'];
export type Member = RowOf<typeof readMembers, 'members'>;
export type Invitation = RowOf<typeof readMembers, 'invitations'>;

export const readMember = graphql('query member($id: ID!) { member(id: $id) { id name role } }');

export const changeRole = graphql(`
  mutation changeRole($id: ID!, $role: Role!, $expectedRole: Role) {
    changeMemberRole(id: $id, role: $role, expectedRole: $expectedRole) {
      id
    }
  }
`);

export const removeMember = graphql(`
  mutation removeMember($id: ID!, $operationId: ID) {
    removeMember(id: $id, operationId: $operationId) {
      id
    }
  }
`);

/** The link is null if it was mailed: then only the recipient sees it. */
export const inviteMember = graphql(`
  mutation inviteMember($name: String!, $email: String!, $role: Role, $isMailed: Boolean!) {
    inviteMember(name: $name, email: $email, role: $role, isMailed: $isMailed) {
      invitation { ${SOMEBODY} expiresAt }
      link
    }
  }`);

export type MadeInvitation = ResultOf<typeof inviteMember>['inviteMember']['invitation'];

export const revokeInvitation = graphql('mutation revokeInvitation($id: ID!) { revokeInvitation(id: $id) { email } }');

export const readFactorRule = graphql(`
  query factorRule {
    business {
      secondFactorRequired
    }
    membersWithoutSecondFactor {
      id
      name
      role
    }
  }
`);

export const requireFactor = graphql(`
  mutation requireSecondFactor($isRequired: Boolean!, $operationId: ID) {
    requireSecondFactor(isRequired: $isRequired, operationId: $operationId) {
      id
    }
  }
`);
