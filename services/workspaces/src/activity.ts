import { toAdmins, toEverybody, type ShownActs } from '@payroll/service';

/** Only those who can give access see who has it. */
export const acts: ShownActs = {
  'workspace.provisioned': toEverybody('name', 'country'),
  'business.updated': toEverybody('name', 'country'),
  'business.verification-changed': toEverybody('kybStatus'),
  'business.switches-set': toAdmins('integrationEnabled', 'writesEnabled'),
  'business.second-factor-required': toAdmins('secondFactorRequired'),
  'member.invited': toAdmins('name', 'role'),
  'invitation.accepted': toAdmins('name', 'role'),
  'invitation.revoked': toAdmins('email'),
  'worker-access.invited': toAdmins('email'),
  'worker-access.joined': toEverybody(),
  'worker-access.ended': toEverybody(),
  'member.added': toAdmins('name', 'role'),
  'member.role-changed': toAdmins('name', 'role'),
  'member.left': toAdmins('name'),
  'api-key.created': toAdmins('name', 'scopes', 'expiresAt'),
  'api-key.rotated': toAdmins('name', 'scopes', 'expiresAt'),
  'api-key.revoked': toAdmins('name'),
  'mcp-connection.connected': toAdmins('name', 'scopes'),
  'mcp-connection.revoked': toAdmins('name'),
  'mcp-connection.expired': toAdmins('name'),
};
