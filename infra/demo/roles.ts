export const ROLES = ['admin', 'member', 'viewer'] as const;
export type DemoRole = (typeof ROLES)[number];
